import { matchesPattern } from '../../domain/text.ts'
import type { Resource } from '../input.ts'
import type { SizingPreference } from '../workload.ts'

/** How CPU limits are set: no limit, in the current proportion to the request, or by a high quantile of usage. */
export const limitRules = ['none', 'ratio', 'quantile'] as const
export type LimitRule = (typeof limitRules)[number]

/** Guaranteed: limits equal requests. Burstable: limits stay where they are, and only requests follow usage. */
export const qosClasses = ['guaranteed', 'burstable'] as const
export type QosClass = (typeof qosClasses)[number]

/** Constraints of an organisation on sizes, whatever usage asks for. Cores and GiB; undefined means no constraint. */
export interface SizeConstraints {
  readonly limits?: LimitRule | undefined
  readonly minCpu?: number | undefined
  readonly maxCpu?: number | undefined
  readonly minMemory?: number | undefined
  readonly maxMemory?: number | undefined
  /** GiB of memory for each core, at least and at most. */
  readonly cpuMemoryRatio?: MemoryPerCore | undefined
  readonly preference?: SizingPreference | undefined
  readonly qos?: QosClass | undefined
  /** Sizes stay as they are. */
  readonly exclude?: boolean | undefined
  /** Who sets the size of the container instead of its workload, such as a team or an operator. It is in no patch. */
  readonly managedBy?: string | undefined
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

/** Constraints for containers that match all patterns, in which * matches any text. No pattern matches all of them. */
export interface SizingRule extends SizeConstraints {
  readonly cluster?: string | undefined
  readonly namespace?: string | undefined
  /** Name, or kind and name: Deployment/api-*. */
  readonly workload?: string | undefined
  readonly container?: string | undefined
  /** Without tag and digest. */
  readonly image?: string | undefined
  /** By name of the label. */
  readonly labels?: Readonly<Record<string, string>> | undefined
}

export interface RuledContainer {
  readonly cluster: string
  readonly namespace: string
  /** Kind/name */
  readonly workload: string
  readonly container: string
  /** '' if not known. */
  readonly image: string
  /** Value of a label of the workload or of its namespace; '' if there is none. */
  labelOf(name: string): string
}

export const constraintNames = [
  'limits',
  'minCpu',
  'maxCpu',
  'minMemory',
  'maxMemory',
  'cpuMemoryRatio',
  'preference',
  'qos',
  'exclude',
  'managedBy',
] as const satisfies readonly (keyof SizeConstraints)[]
export type ConstraintName = (typeof constraintNames)[number]

export interface ConstraintOrigin {
  readonly name: ConstraintName
  /** Position in the list of rules, from 1; undefined if the constraint comes from the API request itself. */
  readonly rule: number | undefined
}

export interface ResolvedConstraints {
  readonly constraints: SizeConstraints
  readonly origins: readonly ConstraintOrigin[]
  /** Positions of all rules that apply, from 1. */
  readonly matched: readonly number[]
}

/** All rules that match apply. A later rule overrides an earlier one, and the API request overrides all rules. */
export function constraintsFor(
  rules: readonly SizingRule[],
  asked: SizeConstraints,
  container: RuledContainer,
): ResolvedConstraints {
  const constraints: { -readonly [Name in ConstraintName]?: SizeConstraints[Name] } = {}
  const origins = new Map<ConstraintName, number | undefined>()
  const matched = rules.flatMap((rule, index) => (appliesTo(rule, container) ? [index + 1] : []))
  const take = (from: SizeConstraints, rule: number | undefined): void => {
    for (const name of constraintNames)
      if (from[name] !== undefined) {
        Object.assign(constraints, { [name]: from[name] })
        origins.set(name, rule)
      }
  }
  for (const position of matched) take(rules[position - 1]!, position)
  take(asked, undefined)
  return { constraints, origins: [...origins].map(([name, rule]) => ({ name, rule })), matched }
}

const appliesTo = (rule: SizingRule, { labelOf, ...container }: RuledContainer): boolean =>
  (['cluster', 'namespace', 'container', 'image'] as const).every((name) =>
    matchesPattern(rule[name], container[name]),
  ) &&
  matchesPattern(
    rule.workload,
    rule.workload?.includes('/') ? container.workload : nameOf(container.workload),
  ) &&
  Object.entries(rule.labels ?? {}).every(([name, pattern]) => matchesPattern(pattern, labelOf(name)))

const nameOf = (workload: string): string => workload.slice(workload.indexOf('/') + 1)
