import type { GroupBy, RowKey } from '../../allocation/cost-groups.ts'
import { stepNames, TimeSteps } from '../../allocation/time-steps.ts'
import { cursorOf, cursorParts } from '../../domain/cursor.ts'
import { parsePeriod } from '../../domain/period.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import { dayMs } from '../../domain/time.ts'
import { type HourRange, hoursOfWindow } from '../../usage/reading/pod-usage.ts'

/** A query as a caller writes it, not yet checked. */
export interface CostsRequest extends WindowRequest {
  readonly group_by?: string | undefined
  readonly cluster?: string | undefined
  readonly namespace?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface WindowRequest {
  readonly step?: string | undefined
  readonly start_date?: string | undefined
  readonly end_date?: string | undefined
}

export { stepNames }

export const groupKinds = ['cluster', 'namespace', 'workload', 'node'] as const

export interface CostsSelection extends StepWindow {
  readonly groupBy: GroupBy
  readonly cluster: string | undefined
  readonly namespace: string | undefined
  /** Rows per page. */
  readonly limit: number
  readonly after: RowKey | undefined
}

export interface StepWindow {
  /** Milliseconds since 1970. */
  readonly startMs: number
  readonly endMs: number
  readonly hours: HourRange
  readonly steps: TimeSteps
}

export const defaultCostDays = 30
/** A hundred days in steps of an hour: more than a chart can show. */
export const maxSteps = 2400

/** Throws one problem that names every error. */
export function parseCostsRequest(
  request: CostsRequest,
  now: number,
  keptLabels: readonly string[],
): CostsSelection {
  const errors: FieldError[] = []
  const window = parseWindow(request, now, errors)
  const groupBy = parseGroupBy(request.group_by ?? 'namespace')
  if (groupBy === undefined)
    errors.push({
      pointer: '?group_by',
      message: `must be one of ${groupKinds.join(', ')}, or label: and the name of a label`,
    })
  if (groupBy?.kind === 'label' && !keptLabels.includes(groupBy.label))
    errors.push({
      pointer: '?group_by',
      message: `names a label that is not stored: CHEAPSIDE_COST_LABELS must contain it when usage is received; now it contains ${keptLabels.join(', ') || 'none'}`,
    })
  const after = request.cursor === undefined ? undefined : parseCursor(request.cursor)
  if (request.cursor !== undefined && after === undefined)
    errors.push({ pointer: '?cursor', message: 'must come from a Link header' })
  if (errors.length > 0) throw new Problem('invalid', 'The query is invalid.', { errors })
  return {
    ...window,
    groupBy: groupBy!,
    cluster: request.cluster || undefined,
    namespace: request.namespace || undefined,
    limit: request.limit ?? Number.POSITIVE_INFINITY,
    after,
  }
}

/** The default is the last 30 days in steps of a day. */
export function parseWindow(request: WindowRequest, now: number, errors: FieldError[]): StepWindow {
  const step = stepNames.find((name) => name === (request.step ?? 'day'))
  if (step === undefined) errors.push({ pointer: '?step', message: `must be one of ${stepNames.join(', ')}` })
  const absent = { endMs: now, lengthMs: defaultCostDays * dayMs }
  const { startMs, endMs } = parsePeriod(request, absent, errors)
  const hours = startMs < endMs ? hoursOfWindow(startMs, endMs) : { from: 0, to: 0 }
  const steps = new TimeSteps(hours, step ?? 'day')
  if (steps.count > maxSteps)
    errors.push({
      pointer: '?step',
      message: `results in ${steps.count} steps, and at most ${maxSteps} are allowed: choose a longer step or a shorter period`,
    })
  return { startMs, endMs, hours, steps }
}

/** Repeats the window although time has passed, so that all pages of a list cover the same hours. */
export const nextCostsPage = ({ startMs, endMs }: StepWindow, cursor: string) => ({
  cursor,
  start_date: new Date(startMs).toISOString(),
  end_date: new Date(endMs).toISOString(),
})

export function parseGroupBy(text: string): GroupBy | undefined {
  const kind = groupKinds.find((name) => name === text)
  if (kind !== undefined) return { kind }
  const [, label] = /^label:(.+)$/.exec(text) ?? []
  return label === undefined ? undefined : { kind: 'label', label }
}

export const costCursor = ({ cluster, namespace, name, fromHour }: RowKey): string =>
  cursorOf([cluster, namespace, name, fromHour])

function parseCursor(cursor: string): RowKey | undefined {
  const [cluster, namespace, name, fromHour] = cursorParts(cursor)
  if (typeof cluster !== 'string' || typeof namespace !== 'string' || typeof name !== 'string')
    return undefined
  return Number.isInteger(fromHour) ? { cluster, namespace, name, fromHour: fromHour as number } : undefined
}
