import type {
  RecommendationFinding,
  RecommendationGrade,
  RecommendationKind,
  RecommendationState,
} from '../../../domain/recommendation.ts'
import type { RecommendationSummary } from '../list-codec.ts'
import type { ShownRecommendation } from './shown-recommendation.ts'

export interface RecommendationFilter {
  readonly kinds: ReadonlySet<RecommendationKind>
  readonly states: ReadonlySet<RecommendationState>
  readonly risks: ReadonlySet<RecommendationGrade>
  /** If empty, recommendations pass with any findings or none. */
  readonly findings: ReadonlySet<RecommendationFinding>
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

export interface SelectedRecommendations {
  readonly passing: readonly ShownRecommendation[]
  /** Returns what passes without the filter on this member. */
  passingWithout(name: FacetName): readonly ShownRecommendation[]
}

/** Checks each row once, for all facets together. */
export function selectRecommendations(
  shown: readonly ShownRecommendation[],
  filter: RecommendationFilter,
): SelectedRecommendations {
  const passing: ShownRecommendation[] = []
  const keptOut = new Map<FacetName, ShownRecommendation[]>()
  const removals = removalsIn(shown, filter.idleDays)
  const isPart = ({ state, coveredBy }: ShownRecommendation) =>
    state === 'open' && coveredBy !== null && removals.has(coveredBy)
  for (const row of shown) {
    if (!passesAnyway(row, filter)) continue
    const failing = facetNames.filter(
      (name) =>
        !passesFacet(row, filter, name) || (name === 'kind' && filter.kinds.has('idle') && isPart(row)),
    )
    if (failing.length === 0) passing.push(row)
    else if (failing.length === 1) keptOut.getOrInsertComputed(failing[0]!, () => []).push(row)
  }
  return {
    passing,
    passingWithout: (name) => [...passing, ...(keptOut.get(name) ?? [])],
  }
}

/**
 * Returns removals of workloads and machines that are recommended or accepted. What else is recommended for these is part of the
 * removal, and is listed only if no removals are asked for, so that nothing counts twice. What was decided on stays.
 */
function removalsIn(shown: readonly ShownRecommendation[], idleDays: number): ReadonlySet<string> {
  const removals = shown.filter(
    ({ recommendation: { kind, idle_days }, state }) =>
      kind === 'idle' && (idle_days ?? 0) >= idleDays && (state === 'open' || state === 'accepted'),
  )
  return new Set(removals.map(({ recommendation }) => recommendation.id))
}

function passesFacet(
  { recommendation, state }: ShownRecommendation,
  filter: RecommendationFilter,
  name: FacetName,
): boolean {
  switch (name) {
    case 'kind':
      return filter.kinds.has(recommendation.kind)
    case 'state':
      return filter.states.has(state)
    case 'risk':
      return filter.risks.has(recommendation.risk)
    case 'finding':
      return (
        filter.findings.size === 0 || recommendation.findings.some((finding) => filter.findings.has(finding))
      )
    case 'cluster':
      return filter.cluster === undefined || recommendation.cluster === filter.cluster
    case 'namespace':
      return filter.namespace === undefined || recommendation.namespace === filter.namespace
  }
}

const passesAnyway = ({ recommendation, worth }: ShownRecommendation, filter: RecommendationFilter) =>
  worth >= filter.minWorth &&
  recommendation.confidence >= filter.minConfidence &&
  (recommendation.idle_days === null || recommendation.idle_days >= filter.idleDays) &&
  (filter.text === '' || containsText(recommendation, filter.text))

const containsText = ({ title, cluster, namespace, machine }: RecommendationSummary, text: string): boolean =>
  [title, cluster, namespace, machine].some((part) => part?.toLowerCase().includes(text))
