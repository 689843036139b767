import { matchesPattern } from '../../domain/text.ts'
import type { Resource } from '../input.ts'

/** How CPU limits are set: no limit, in the current proportion to the request, or by a high quantile of usage. */
export const limitRules = ['none', 'ratio', 'quantile'] as const
export type LimitRule = (typeof limitRules)[number]

/** Constraints of an organisation on sizes, whatever usage asks for. Cores and GiB; undefined means no constraint. */
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

/**
 * Constraints for clusters and namespaces that match patterns, in which * matches any text. No pattern matches all of
 * them.
 */
export interface SizingRule extends SizeConstraints {
  readonly cluster?: string | undefined
  readonly namespace?: string | undefined
}

export const constraintNames = [
  'limits',
  'minCpu',
  'maxCpu',
  'minMemory',
  'maxMemory',
  'cpuMemoryRatio',
] as const satisfies readonly (keyof SizeConstraints)[]
export type ConstraintName = (typeof constraintNames)[number]

/** A constraint that applies, and the rule that it comes from. */
export interface ConstraintOrigin {
  readonly name: ConstraintName
  /** Position in the list of rules, from 1; undefined if the constraint comes from the API request itself. */
  readonly rule: number | undefined
}

export interface ResolvedConstraints {
  readonly constraints: SizeConstraints
  readonly origins: readonly ConstraintOrigin[]
}

/** All rules that match apply. A later rule overrides an earlier one, and the API request overrides all rules. */
export function constraintsFor(
  rules: readonly SizingRule[],
  asked: SizeConstraints,
  place: { readonly cluster: string; readonly namespace: string },
): ResolvedConstraints {
  const constraints: { -readonly [Name in ConstraintName]?: SizeConstraints[Name] } = {}
  const origins = new Map<ConstraintName, number | undefined>()
  const take = (from: SizeConstraints, rule: number | undefined): void => {
    for (const name of constraintNames)
      if (from[name] !== undefined) {
        Object.assign(constraints, { [name]: from[name] })
        origins.set(name, rule)
      }
  }
  for (const [index, rule] of rules.entries())
    if (matchesPattern(rule.cluster, place.cluster) && matchesPattern(rule.namespace, place.namespace))
      take(rule, index + 1)
  take(asked, undefined)
  return { constraints, origins: [...origins].map(([name, rule]) => ({ name, rule })) }
}
