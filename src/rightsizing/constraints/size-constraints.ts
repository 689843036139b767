import type { Resource } from '../input.ts'

/** Where CPU limits come from: none at all, in the proportion to the request that is set now, or from the highest usage. */
export const limitRules = ['none', 'ratio', 'quantile'] as const
export type LimitRule = (typeof limitRules)[number]

/** What an organisation wants of sizes, whatever usage asks for. Cores and GiB; undefined: no wish. */
export interface SizeConstraints {
  readonly limits?: LimitRule | undefined
  readonly minCpu?: number | undefined
  readonly maxCpu?: number | undefined
  readonly minMemory?: number | undefined
  readonly maxMemory?: number | undefined
  /** GiB of memory for each core, at least and at most. */
  readonly cpuMemoryRatio?: MemoryPerCore | undefined
}

export interface MemoryPerCore {
  readonly least: number
  readonly most: number
}

export const boundsOf = (
  { minCpu, maxCpu, minMemory, maxMemory }: SizeConstraints,
  resource: Resource,
): { readonly least: number; readonly most: number } =>
  resource === 'cpu'
    ? { least: minCpu ?? 0, most: maxCpu ?? Number.POSITIVE_INFINITY }
    : { least: minMemory ?? 0, most: maxMemory ?? Number.POSITIVE_INFINITY }
