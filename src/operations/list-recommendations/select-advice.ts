import type { Advice } from '../../domain/recommendation.ts'
import type { AdviceFilter } from './query.ts'
import type { ShownAdvice } from './shown-advice.ts'

/** Facets count what a filter on their own member would find. */
export const facetNames = ['kind', 'state', 'risk', 'finding', 'cluster', 'namespace'] as const
export type FacetName = (typeof facetNames)[number]

/**
 * Those that pass. A recommendation that is part of another one that passes, such as resizing a container of a workload that
 * should be removed, is left out, so that nothing counts twice.
 */
export function selectAdvice(
  shown: readonly ShownAdvice[],
  filter: AdviceFilter,
  except?: FacetName,
): ShownAdvice[] {
  const passing = shown.filter((row) => passes(row, filter, except))
  const ids = new Set(passing.flatMap(({ advice }) => (advice.kind === 'idle' ? [advice.id] : [])))
  return passing.filter(({ coveredBy }) => coveredBy === null || !ids.has(coveredBy))
}

function passes({ advice, state, worth }: ShownAdvice, filter: AdviceFilter, except?: FacetName): boolean {
  const { kind, risk, findings, cluster, namespace, confidence, idle_days } = advice
  return (
    (except === 'kind' || filter.kinds.has(kind)) &&
    (except === 'state' || filter.states.has(state)) &&
    (except === 'risk' || filter.risks.has(risk)) &&
    (except === 'cluster' || filter.cluster === undefined || cluster === filter.cluster) &&
    (except === 'namespace' || filter.namespace === undefined || namespace === filter.namespace) &&
    (except === 'finding' ||
      filter.findings.size === 0 ||
      findings.some((name) => filter.findings.has(name))) &&
    worth >= filter.minWorth &&
    confidence >= filter.minConfidence &&
    (idle_days === null || idle_days >= filter.idleDays) &&
    (filter.text === '' || containsText(advice, filter.text))
  )
}

const containsText = ({ title, cluster, namespace, machine }: Advice, text: string): boolean =>
  [title, cluster, namespace, machine].some((part) => part?.toLowerCase().includes(text))
