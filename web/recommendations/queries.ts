import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import { isTemporary, Refused } from '../api/problem.ts'
import type { paths } from '../api/schema.ts'
import { decideParts } from './decide-parts.ts'
import type { RecommendationFilter } from './filter.ts'
import { patchParts } from './patch-parts.ts'
import { showDecided } from './show-decided.ts'

export type RecommendationPage =
  paths['/v1/recommendations']['get']['responses'][200]['content']['application/json']
export type Recommendation = RecommendationPage['recommendations'][number]
export type Explained =
  paths['/v1/recommendations/{id}']['get']['responses'][200]['content']['application/json']
export type Decision = Omit<
  paths['/v1/recommendations']['patch']['requestBody']['content']['application/json'],
  'ids' | 'if_match'
>

const firstRows = 50
export const moreRows = 500

/** Loads more pages on request. Sums and facets cover everything that passes the filter. */
export function useRecommendations(filter: RecommendationFilter) {
  return useInfiniteQuery({
    queryKey: ['recommendations', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === undefined ? {} : { cursor: pageParam }
      const limit = pageParam === undefined ? firstRows : moreRows
      const query = { ...filter, limit, ...cursor }
      return answer(service.GET('/v1/recommendations', { params: { query }, signal }))
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    placeholderData: (before) => before,
  })
}

/** Returns the selected containers as patches of their workloads, one file per cluster. */
export async function patchFiles(
  chosen: readonly Recommendation[],
): Promise<{ readonly name: string; readonly text: string }[]> {
  const clusters = [...Map.groupBy(chosen.filter(hasPatch), ({ cluster }) => cluster!)]
  return Promise.all(
    clusters.map(async ([cluster, of]) => ({
      name: `${fileName([cluster, ...(of.length > 1 ? [] : [of[0]!.namespace, of[0]!.workload, of[0]!.container])])}-patch${of.length > 1 ? 'es' : ''}.yaml`,
      text: (await Promise.all(patchParts(of).map(patchText))).join(''),
    })),
  )
}

const fileName = (parts: readonly (string | null)[]): string =>
  parts
    .filter((part) => part !== null)
    .join('-')
    .replaceAll(/[^\w.-]/g, '_')

async function patchText(recommendations: readonly Recommendation[]): Promise<string> {
  const query = { ids: recommendations.map(({ id }) => id).join(','), format: 'patch' } as const
  const asked = service.GET('/v1/recommendations/patches', {
    params: { query },
    headers: { accept: '*/*' },
    parseAs: 'text',
  })
  return (await answer(asked)) as string
}

/** Machines and nodes cannot be changed by a patch, and what is no longer recommended should not be. */
export const hasPatch = ({ workload, outdated_since }: Recommendation): boolean =>
  workload !== null && outdated_since === null

/** A decision on some recommendations. */
export interface DecideStep {
  readonly chosen: readonly Recommendation[]
  readonly decision: Decision
}

/** What was decided, and the steps that take it back. */
export interface Decided {
  readonly state: Decision['state']
  readonly before: readonly Recommendation[]
  readonly undo: readonly DecideStep[]
  /** What was not decided, because someone else has decided on it meanwhile. */
  readonly changedMeanwhile: readonly Recommendation[]
  /** What was not decided, because the service does not know it any more. */
  readonly unknown: readonly Recommendation[]
}

export type OnDecided = (decided: Decided) => void

/** Decides on recommendations, in steps that each have their own decision. */
export function useDecide(onDone: OnDecided) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (steps: readonly DecideStep[]) => {
      const answers = []
      for (const { chosen, decision } of steps)
        for (const part of decideParts(chosen)) {
          const if_match = Object.fromEntries(part.map(({ id, etag }) => [id, etag]))
          const body = { ids: part.map(({ id }) => id), if_match, ...decision }
          answers.push(await answer(service.PATCH('/v1/recommendations', { body })))
        }
      return answers
    },
    onSuccess: (answers, steps) => {
      const after = new Map(
        answers.flatMap(({ recommendations }) => recommendations.map((row) => [row.id, row])),
      )
      const others = answers.flatMap(({ changed_meanwhile }) => changed_meanwhile)
      showDecided(queries, new Map([...after, ...others.map((row) => [row.id, row] as const)]))
      const chosen = steps.flatMap((step) => step.chosen)
      onDone({
        state: steps[0]!.decision.state,
        before: chosen.filter(({ id }) => after.has(id)),
        undo: undoSteps(
          chosen.filter(({ id }) => after.has(id)),
          (id) => after.get(id)!.etag,
        ),
        changedMeanwhile: others,
        unknown: chosen.filter(({ id }) => answers.some(({ unknown }) => unknown.includes(id))),
      })
    },
    // If one of several requests fails, others have changed recommendations.
    onSettled: () => void queries.invalidateQueries({ queryKey: ['recommendations'] }),
    retry: (count, error) => error instanceof Refused && isTemporary(error) && count < 3,
  })
}

/** Restores the earlier decisions, with their reasons, one step for each. */
export function undoSteps(before: readonly Recommendation[], etagOf: (id: string) => string) {
  const decisions = Map.groupBy(before, ({ state, state_reason: reason, state_until: until }) =>
    // What was applied without a decision has none to restore.
    JSON.stringify(
      state === 'applied' || state === 'open'
        ? { state: 'open' }
        : { state, ...(reason === null ? {} : { reason }), ...(until === null ? {} : { until }) },
    ),
  )
  return [...decisions].map(([decision, of]) => ({
    chosen: of.map((recommendation) => ({ ...recommendation, etag: etagOf(recommendation.id) })),
    decision: JSON.parse(decision) as Decision,
  }))
}

/** Loads one recommendation with everything that it is based on. */
export function useExplained(id: string) {
  return useQuery({
    queryKey: ['recommendations', 'one', id],
    queryFn: ({ signal }) =>
      answer(service.GET('/v1/recommendations/{id}', { params: { path: { id } }, signal })),
  })
}
