import type { AdviceFinding, AdviceGrade, AdviceKind, AdviceState } from '../../../domain/recommendation.ts'
import type { AdviceSummary } from '../list-codec.ts'
import type { ShownAdvice } from './shown-advice.ts'

export interface AdviceFilter {
  readonly kinds: ReadonlySet<AdviceKind>
  readonly states: ReadonlySet<AdviceState>
  readonly risks: ReadonlySet<AdviceGrade>
  /** If empty, recommendations pass with any findings or none. */
  readonly findings: ReadonlySet<AdviceFinding>
  readonly cluster: string | undefined
  readonly namespace: string | undefined
  readonly minWorth: number
  readonly minConfidence: number
  readonly text: string
  readonly idleDays: number
}

/** Facets count what would be listed if their value were the only one selected for their own member. */
export const facetNames = ['kind', 'state', 'risk', 'finding', 'cluster', 'namespace'] as const
export type FacetName = (typeof facetNames)[number]

export interface SelectedAdvice {
  readonly passing: readonly ShownAdvice[]
  /** Returns what passes without the filter on this member, including recommendations that are part of another one. */
  passingWithout(name: FacetName): readonly ShownAdvice[]
}

/** Checks each row once, for all facets together. */
export function selectAdvice(shown: readonly ShownAdvice[], filter: AdviceFilter): SelectedAdvice {
  const passing: ShownAdvice[] = []
  const keptOut = new Map<FacetName, ShownAdvice[]>()
  for (const row of shown) {
    if (!passesAnyway(row, filter)) continue
    const failing = facetNames.filter((name) => !passesFacet(row, filter, name))
    if (failing.length === 0) passing.push(row)
    else if (failing.length === 1) keptOut.getOrInsertComputed(failing[0]!, () => []).push(row)
  }
  return {
    passing: withoutCovered(passing),
    passingWithout: (name) => [...passing, ...(keptOut.get(name) ?? [])],
  }
}

/**
 * Leaves out a recommendation that is part of another one that passes, such as resizing a container of a workload that
 * should be removed, so that nothing counts twice.
 */
export function withoutCovered(rows: ShownAdvice[]): ShownAdvice[] {
  if (rows.every(({ coveredBy }) => coveredBy === null)) return rows
  const ids = new Set(rows.flatMap(({ advice }) => (advice.kind === 'idle' ? [advice.id] : [])))
  return rows.filter(({ coveredBy }) => coveredBy === null || !ids.has(coveredBy))
}

function passesFacet({ advice, state }: ShownAdvice, filter: AdviceFilter, name: FacetName): boolean {
  switch (name) {
    case 'kind':
      return filter.kinds.has(advice.kind)
    case 'state':
      return filter.states.has(state)
    case 'risk':
      return filter.risks.has(advice.risk)
    case 'finding':
      return filter.findings.size === 0 || advice.findings.some((finding) => filter.findings.has(finding))
    case 'cluster':
      return filter.cluster === undefined || advice.cluster === filter.cluster
    case 'namespace':
      return filter.namespace === undefined || advice.namespace === filter.namespace
  }
}

const passesAnyway = ({ advice, worth }: ShownAdvice, filter: AdviceFilter): boolean =>
  worth >= filter.minWorth &&
  advice.confidence >= filter.minConfidence &&
  (advice.idle_days === null || advice.idle_days >= filter.idleDays) &&
  (filter.text === '' || containsText(advice, filter.text))

const containsText = ({ title, cluster, namespace, machine }: AdviceSummary, text: string): boolean =>
  [title, cluster, namespace, machine].some((part) => part?.toLowerCase().includes(text))
