import type { TObject } from 'typebox'
import type { FieldError } from '../../domain/problem.ts'
import type { Unchecked } from '../../domain/schema.ts'
import {
  type LimitRule,
  limitRules,
  type MemoryPerCore,
  qosClasses,
  type SizeConstraints,
  type SizingRule,
} from '../../rightsizing/constraints/sizing-rules.ts'
import { parsePreference } from './parse-preference.ts'
import type { constraintMembers } from './query-schema.ts'
import type { SizingRuleView } from './sizing-schema.ts'

export type ConstraintsInput = Unchecked<TObject<typeof constraintMembers>>
export type SizingRuleInput = Unchecked<typeof SizingRuleView>

/** Members of a rule that say what it applies to, and those that say what it sets. */
export const patternNames = ['cluster', 'namespace', 'workload', 'container', 'image', 'labels'] as const
export const settingNames = [
  ...(['limits', 'min_cpu', 'max_cpu', 'min_memory', 'max_memory', 'cpu_memory_ratio'] as const),
  ...(['profile', 'risk', 'qos', 'exclude', 'managed_by'] as const),
]

export function parseConstraints(input: ConstraintsInput, at: string, errors: FieldError[]): SizeConstraints {
  const { limits, min_cpu, max_cpu, min_memory, max_memory, cpu_memory_ratio } = input
  const wrong = (name: string, message: string): void => {
    errors.push({ pointer: `${at}${name}`, message })
  }
  const isLimits = limits === undefined || limitRules.includes(limits as LimitRule)
  if (!isLimits) wrong('limits', `must be one of ${limitRules.join(', ')}`)
  for (const [name, value] of Object.entries({ min_cpu, max_cpu, min_memory, max_memory }))
    if (value !== undefined && !(value > 0 && value <= largest))
      wrong(name, `must be above 0, and at most ${largest}`)
  if (min_cpu !== undefined && max_cpu !== undefined && min_cpu > max_cpu)
    wrong('min_cpu', 'must not be above max_cpu')
  if (min_memory !== undefined && max_memory !== undefined && min_memory > max_memory)
    wrong('min_memory', 'must not be above max_memory')
  const ratio = cpu_memory_ratio === undefined ? undefined : ratioOf(cpu_memory_ratio)
  if (cpu_memory_ratio !== undefined && ratio === undefined)
    wrong('cpu_memory_ratio', 'must be GiB of memory for each core, such as 4, or a range such as 1-6.5')
  return {
    limits: isLimits ? (limits as LimitRule | undefined) : undefined,
    minCpu: min_cpu,
    maxCpu: max_cpu,
    minMemory: min_memory,
    maxMemory: max_memory,
    cpuMemoryRatio: ratio,
  }
}

const largest = 1_000_000
const longestPattern = 253

export function parseRule(rule: SizingRuleInput, at: string, errors: FieldError[]): SizingRule {
  const { cluster, namespace, workload, container, image, labels, profile, risk, exclude, managed_by } = rule
  const wrong = (name: string, message: string): void => {
    errors.push({ pointer: `${at}${name}`, message })
  }
  for (const [name, pattern] of Object.entries({ cluster, namespace, workload, container, image, ...labels }))
    if (pattern !== undefined && (pattern === '' || pattern.length > longestPattern))
      wrong(name, `must have 1 to ${longestPattern} characters`)
  if (profile !== undefined && risk !== undefined)
    wrong('risk', 'cannot be combined with a profile: set only one of them')
  const qos = qosClasses.find((name) => name === rule.qos)
  if (qos === undefined && rule.qos !== undefined) wrong('qos', `must be one of ${qosClasses.join(', ')}`)
  if (qos === 'guaranteed' && rule.limits !== undefined)
    wrong('limits', 'cannot be combined with qos guaranteed, which sets the limits')
  const preference = parsePreference({ profile, risk }, at, errors)
  const patterns = { cluster, namespace, workload, container, image, labels }
  return {
    ...patterns,
    ...parseConstraints(rule, at, errors),
    preference,
    qos,
    exclude,
    managedBy: managed_by,
  }
}

function ratioOf(text: string): MemoryPerCore | undefined {
  const found = /^(\d{1,4}(?:\.\d{1,6})?)(?:-(\d{1,4}(?:\.\d{1,6})?))?$/.exec(text)
  if (found === null) return undefined
  const [least, most] = [Number(found[1]), Number(found[2] ?? found[1])]
  return least > 0 && least <= most ? { least, most } : undefined
}
