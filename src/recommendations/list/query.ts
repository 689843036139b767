import { cursorOf, cursorParts } from '../../domain/cursor.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import {
  adviceFindings,
  adviceGrades,
  adviceKinds,
  adviceStates,
  defaultAdviceLimit,
  defaultIdleDays,
} from '../../domain/recommendation.ts'
import type { Unchecked } from '../../domain/schema.ts'
import type { AdviceFilter } from './rows/select-advice.ts'
import type { AdviceListQuery } from './schema.ts'

export type AdviceRequest = Unchecked<typeof AdviceListQuery>

export interface AdviceQuery {
  readonly filter: AdviceFilter
  readonly limit: number
  readonly after: AdviceCursor | undefined
}

export interface AdviceCursor {
  readonly worth: number
  readonly id: string
}

export function parseAdviceRequest(request: AdviceRequest): AdviceQuery {
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
  const filter: AdviceFilter = {
    kinds: some('kind', adviceKinds, adviceKinds),
    states: some('state', adviceStates, ['open']),
    risks: some('risk', adviceGrades, adviceGrades),
    findings: some('finding', adviceFindings, []),
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
  return { filter, limit: request.limit ?? defaultAdviceLimit, after }
}

export const adviceCursor = ({ worth, id }: AdviceCursor): string => cursorOf([worth, id])

function parseCursor(cursor: string): AdviceCursor | undefined {
  const [worth, id] = cursorParts(cursor)
  return typeof worth === 'number' && typeof id === 'string' ? { worth, id } : undefined
}
