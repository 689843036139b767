import { cursorOf, namesInCursor } from '../../domain/cursor.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import { type ProcessGroup, processGroups } from '../../domain/process-group.ts'
import { dayMs, hourMs, parseTime } from '../../domain/time.ts'
import { type HourRange, hoursOfWindow } from '../../usage/reading/pod-usage.ts'

/** A query as a caller writes it, not yet checked. */
export interface MachinesRequest {
  readonly vm?: string | undefined
  readonly process_group?: string | undefined
  readonly start_date?: string | undefined
  readonly end_date?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface MachinesQuery {
  readonly vm: string | undefined
  readonly group: ProcessGroup | undefined
  readonly hours: HourRange
  /** Milliseconds since 1970. */
  readonly startMs: number
  readonly endMs: number
  readonly limit: number
  readonly after: MachineCursor | undefined
}

/** The position at which a page ended: after a whole machine, or after the process with this key. */
export interface MachineCursor {
  readonly vm: string
  readonly key?: string
  /** Whether the page ended among the processes that are listed last. */
  readonly isUnused?: boolean
}

export const defaultDays = 14
export const defaultProcesses = 1000
export const maxProcesses = 5000
export const defaultMachines = 100
export const maxMachines = 1000

export function parseMachinesRequest(
  request: MachinesRequest,
  now: number,
  defaultLimit: number,
): MachinesQuery {
  const errors: FieldError[] = []
  const time = (name: 'start_date' | 'end_date', absent: number): number => {
    const text = request[name]
    if (text === undefined) return absent
    const parsed = parseTime(text)
    if (parsed === undefined)
      errors.push({
        pointer: `?${name}`,
        message: 'must be a time of RFC 3339, such as 2026-11-01T00:00:00Z',
      })
    return parsed ?? Number.NaN
  }
  const end = time('end_date', now)
  // Future hours have no usage and cost nothing yet.
  const ended = Math.min(end, now)
  const start = time('start_date', ended - defaultDays * dayMs)
  if (start >= end) {
    const which = request.end_date === undefined ? 'end_date (by default now)' : 'end_date'
    errors.push({ pointer: '?start_date', message: `must be before ${which}` })
  }
  const group = processGroups.find((name) => name === request.process_group?.toLowerCase())
  if (request.process_group !== undefined && group === undefined)
    errors.push({ pointer: '?process_group', message: `must be one of ${processGroups.join(', ')}` })
  const after = request.cursor === undefined ? undefined : parseCursor(request.cursor)
  if (request.cursor !== undefined && after === undefined)
    errors.push({ pointer: '?cursor', message: 'must come from a Link header' })
  if (errors.length > 0) throw new Problem('invalid', 'The query is invalid.', { errors })
  return {
    vm: request.vm,
    group,
    hours: hoursOfWindow(start, Math.max(start, ended)),
    startMs: start,
    endMs: Math.max(start, ended),
    limit: request.limit ?? defaultLimit,
    after,
  }
}

export const windowHoursOf = ({ startMs, endMs }: Pick<MachinesQuery, 'startMs' | 'endMs'>): number =>
  (endMs - startMs) / hourMs

export interface Page<Item> {
  readonly items: readonly Item[]
  /** Query parameters of the next page, to be added to those of the request; absent on the last page. */
  readonly next?: NextPage
}
type NextPage = Readonly<Record<'cursor' | 'start_date' | 'end_date', string>>

/** Repeats the window although time has passed, so that all pages of a list cover the same hours. */
export const nextPage = ({ startMs, endMs }: MachinesQuery, place: MachineCursor): NextPage => ({
  cursor: cursorOf([
    place.vm,
    ...(place.key === undefined ? [] : [place.key]),
    ...(place.isUnused ? [unusedMark] : []),
  ]),
  start_date: new Date(startMs).toISOString(),
  end_date: new Date(endMs).toISOString(),
})

const unusedMark = 'unused'

function parseCursor(cursor: string): MachineCursor | undefined {
  const [vm, key, mark] = namesInCursor(cursor, 1, 3) ?? []
  if (vm === undefined || (mark !== undefined && mark !== unusedMark)) return undefined
  if (key === undefined) return { vm }
  return mark === undefined ? { vm, key } : { vm, key, isUnused: true }
}
