import type { QueryClient } from '@tanstack/react-query'
import { chosenStates, type RecommendationFilter } from './filter.ts'

interface Recommendation {
  readonly id: string
  readonly state: string
}

/** What queries of recommendations hold: pages of a list, one list, or one recommendation with its case. */
interface Held {
  readonly pages?: readonly Held[]
  readonly recommendations?: readonly Recommendation[]
  readonly recommendation?: Recommendation
}

/** Shows decided recommendations at once, before everything is loaded again. They leave lists of other states. */
export function showDecided(queries: QueryClient, decided: ReadonlyMap<string, Recommendation>): void {
  for (const [key, held] of queries.getQueriesData<Held>({ queryKey: ['recommendations'] })) {
    const states = chosenStates((key[1] ?? {}) as RecommendationFilter)?.split(',')
    if (held !== undefined) queries.setQueryData(key, shown(held, decided, states))
  }
}

function shown(
  held: Held,
  decided: ReadonlyMap<string, Recommendation>,
  states: readonly string[] | undefined,
): Held {
  const { pages, recommendations, recommendation } = held
  return {
    ...held,
    ...(pages && { pages: pages.map((page) => shown(page, decided, states)) }),
    ...(recommendations && {
      recommendations: recommendations
        .map((row) => decided.get(row.id) ?? row)
        .filter(({ id, state }) => !decided.has(id) || states === undefined || states.includes(state)),
    }),
    ...(recommendation && { recommendation: decided.get(recommendation.id) ?? recommendation }),
  }
}
