import { round } from '../../../domain/money.ts'
import type { ResolvedConstraints, SizeConstraints } from '../../../rightsizing/constraints/sizing-rules.ts'
import type { Explanation } from '../../../rightsizing/explain.ts'
import type { MemoryFacts, ReasonCode } from '../../../rightsizing/workload.ts'
import type { Distribution } from '../../../usage/distribution/distribution.ts'
import type { ExplanationView } from '../schema.ts'

export function viewExplanation(explanation: Explanation | null, usage: Distribution, unit: number) {
  return {
    Days: explanation?.days ?? 0,
    LearntFromDays: explanation?.trainedOnDays ?? 0,
    Distribution: distributionBars(usage, unit),
    Estimates: (explanation?.estimates ?? []).map(({ by, value, steps, decided }) => ({
      By: by,
      Value: amount(value),
      Decided: decided,
      Steps: steps.map((step) => ({ Says: step.says, Value: amount(step.value) })),
    })),
  }
}

export function viewMemoryFacts(facts: MemoryFacts) {
  return {
    Resident: amount(facts.rssGib ?? null),
    PageCache: amount(facts.cacheGib ?? null),
    MappedPageCache: amount(facts.mappedGib ?? null),
    HeapAfterCollection: amount(facts.heapLowGib ?? null),
    HeapLimit: amount(facts.heapLimitGib ?? null),
    NonHeap: amount(facts.nonHeapGib ?? null),
    KernelPeak: amount(facts.kernelPeakGib ?? null),
  }
}

/** Shows the constraints in force, by the names that callers give them. */
export const viewConstraints = ({ constraints, origins }: ResolvedConstraints) =>
  origins.map(({ name, rule }) => ({
    Name:
      name === 'preference'
        ? Object.keys(constraints.preference!)[0]!
        : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    Value: constraintText(constraints[name]!),
    From: rule === undefined ? 'request' : `rule ${rule}`,
  }))

export const viewReason = ({ code, resource, figures }: ReasonCode) => ({
  Code: code,
  Resource: resource,
  Figures: Object.entries(figures).map(([name, value]) => ({ Name: name, Value: round(value, 6) })),
})

const constraintText = (value: NonNullable<SizeConstraints[keyof SizeConstraints]>): string =>
  typeof value !== 'object'
    ? String(value)
    : !('least' in value)
      ? String(Object.values(value)[0])
      : value.least === value.most
        ? String(value.least)
        : `${value.least}-${value.most}`

const amount = (value: number | null): number | null => (value === null ? null : round(value, 6))

const maxBars = 40

/**
 * Divides a distribution into bars of about equal width on a logarithmic scale and leaves out empty ones. Heights are
 * shares of time for CPU and of samples for memory.
 */
function distributionBars(distribution: Distribution, unit: number): ExplanationView['Distribution'] {
  const { count } = distribution
  if (count === 0) return []
  const [low, high] = [Math.log1p(distribution.min), Math.log1p(distribution.max)]
  const bars = new Map<number, { from: number; to: number; weight: number }>()
  for (const { value, count: weight } of distribution) {
    const position = high > low ? (Math.log1p(value) - low) / (high - low) : 0
    const index = Math.min(maxBars - 1, Math.floor(position * maxBars))
    const bar = bars.get(index)
    if (bar === undefined) bars.set(index, { from: value, to: value, weight })
    else {
      bar.to = value
      bar.weight += weight
    }
  }
  return [...bars.values()].map(({ from, to, weight }) => ({
    From: round(from / unit, 6),
    To: round(to / unit, 6),
    Percent: round((100 * weight) / count, 3),
  }))
}
