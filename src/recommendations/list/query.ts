import { cursorOf, cursorParts } from '../../domain/cursor.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import {
  defaultIdleDays,
  defaultRecommendationLimit,
  recommendationFindings,
  recommendationGrades,
  recommendationKinds,
  recommendationStates,
} from '../../domain/recommendation.ts'
import type { Unchecked } from '../../domain/schema.ts'
import type { RecommendationFilter } from './rows/select-recommendations.ts'
import type { RecommendationListQuery } from './schema.ts'

export type ListRequest = Unchecked<typeof RecommendationListQuery>

export interface RecommendationQuery {
  readonly filter: RecommendationFilter
  readonly limit: number
  readonly after: RecommendationCursor | undefined
}

export interface RecommendationCursor {
  readonly worth: number
  readonly id: string
}

export function parseListRequest(request: ListRequest): RecommendationQuery {
  const errors: FieldError[] = []
  const some = <Name extends string>(
    name: 'kind' | 'state' | 'risk' | 'finding',
    known: readonly Name[],
    absent: readonly Name[],
  ): ReadonlySet<Name> => {
    const text = request[name]
    if (text === undefined) return new Set(absent)
    if (text === 'all') return new Set(known)
    const names = text.split(',').map((part) => part.trim().toLowerCase())
    if (names.every((part) => known.includes(part as Name))) return new Set(names as Name[])
    errors.push({
      pointer: `?${name}`,
      message: `must be all, or some of ${known.join(', ')}, separated by commas`,
    })
    return new Set()
  }
  const { min_confidence: minConfidence = 0 } = request
  if (!(minConfidence >= 0 && minConfidence <= 1))
    errors.push({ pointer: '?min_confidence', message: 'must be from 0 to 1' })
  const filter: RecommendationFilter = {
    kinds: some('kind', recommendationKinds, recommendationKinds),
    states: some('state', recommendationStates, ['open']),
    risks: some('risk', recommendationGrades, recommendationGrades),
    findings: some('finding', recommendationFindings, []),
    cluster: request.cluster || undefined,
    namespace: request.namespace || undefined,
    minWorth: request.min_worth ?? Number.NEGATIVE_INFINITY,
    minConfidence,
    text: request.q?.trim().toLowerCase() ?? '',
    idleDays: request.idle_days ?? defaultIdleDays,
  }
  const after = request.cursor === undefined ? undefined : parseCursor(request.cursor)
  if (request.cursor !== undefined && after === undefined)
    errors.push({ pointer: '?cursor', message: 'must be the next_cursor of the previous page' })
  if (errors.length > 0) throw new Problem('invalid', 'The query is invalid.', { errors })
  return { filter, limit: request.limit ?? defaultRecommendationLimit, after }
}

export const recommendationCursor = ({ worth, id }: RecommendationCursor): string => cursorOf([worth, id])

function parseCursor(cursor: string): RecommendationCursor | undefined {
  const [worth, id] = cursorParts(cursor)
  return typeof worth === 'number' && typeof id === 'string' ? { worth, id } : undefined
}
