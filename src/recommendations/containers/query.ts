import type { PageEnd } from '../../costs/clusters/read-namespaces.ts'
import { cursorOf, namesInCursor } from '../../domain/cursor.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import type { Unchecked } from '../../domain/schema.ts'
import { parseTime } from '../../domain/time.ts'
import { hoursOfWindow } from '../../usage/reading/pod-usage.ts'
import { parseConstraints } from './parse-constraints.ts'
import { parsePreference } from './parse-preference.ts'
import type { NamespacesQuery } from './query-schema.ts'
import type { SizesQuery } from './size-namespaces.ts'

/** The period is required. */
export type SizesRequest = Unchecked<ReturnType<typeof NamespacesQuery>> & {
  readonly start_date: string
  readonly end_date: string
}

export function parseSizesRequest(request: SizesRequest): SizesQuery {
  const errors: FieldError[] = []
  const time = (name: 'start_date' | 'end_date'): number => {
    const parsed = parseTime(request[name])
    if (parsed !== undefined) return parsed
    errors.push({ pointer: `?${name}`, message: 'must be a time of RFC 3339, such as 2026-11-01T00:00:00Z' })
    return Number.NaN
  }
  const [start, end] = [time('start_date'), time('end_date')]
  if (start >= end) errors.push({ pointer: '?start_date', message: 'must be before end_date' })
  const preference = parsePreference(request, '?', errors)
  const constraints = parseConstraints(request, '?', errors)
  const after = request.cursor === undefined ? undefined : parseCursor(request.cursor)
  if (request.cursor !== undefined && after === undefined)
    errors.push({ pointer: '?cursor', message: 'must come from a Link header' })
  if (errors.length > 0) throw new Problem('invalid', 'The query is invalid.', { errors })
  return {
    hours: hoursOfWindow(start, end),
    cluster: request.cluster || undefined,
    namespace: request.namespace || undefined,
    preference,
    constraints,
    explain: request.explain ?? false,
    ofWindow: request.basis === 'window',
    limit: request.limit ?? Number.POSITIVE_INFINITY,
    containerLimit: request.container_limit,
    after,
  }
}

export const namespaceCursor = ({ cluster, namespace, container }: PageEnd): string =>
  cursorOf([cluster, namespace, ...(container === undefined ? [] : [container])])

function parseCursor(cursor: string): PageEnd | undefined {
  const [cluster, namespace, container] = namesInCursor(cursor, 2, 3) ?? []
  if (cluster === undefined || namespace === undefined) return undefined
  return { cluster, namespace, ...(container === undefined ? {} : { container }) }
}
