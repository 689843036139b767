import type { ShownCurrency } from '../../domain/currency.ts'
import { cursorOf, cursorParts } from '../../domain/cursor.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import type { Unchecked } from '../../domain/schema.ts'
import { dayMs, parsePeriod, startOfDay } from '../../domain/time.ts'
import { type HourRange, hoursOfWindow } from '../../usage/reading/pod-usage.ts'
import { costTypes, type RowKey } from '../allocation/cost-groups.ts'
import { type CostGrouping, groupKinds, labelOf, parseGroupBy } from '../allocation/grouping.ts'
import { type CostSharing, isSharing, nothingShared, sharingMethods } from '../allocation/share-costs.ts'
import { stepNames, TimeSteps } from '../allocation/time-steps.ts'
import { type CostPartName, costPartNames } from '../parts/cost-part.ts'
import type { CostsQuery, UsageQuery } from './schema.ts'

export type CostsRequest = Unchecked<ReturnType<typeof CostsQuery>>
export type WindowRequest = Unchecked<ReturnType<typeof UsageQuery>>

export { groupKinds, stepNames }

export interface CostsSelection extends StepWindow, CostGrouping {
  readonly sharing: CostSharing
  readonly off: readonly CostPartName[]
  readonly cluster: string | undefined
  readonly limit: number
  readonly after: RowKey | undefined
  /** Absent for US dollars. */
  readonly currency?: ShownCurrency | undefined
}

export interface StepWindow {
  /** Milliseconds since 1970. */
  readonly startMs: number
  readonly endMs: number
  readonly hours: HourRange
  readonly steps: TimeSteps
}

export const defaultCostDays = 30
export const defaultGroupBy = 'namespace'
/** A hundred days in steps of an hour: more than a chart can show. */
export const maxSteps = 2400

export function parseCostsRequest(
  request: CostsRequest,
  now: number,
  keptLabels: readonly string[],
  saved: CostSharing = nothingShared,
): CostsSelection {
  const errors: FieldError[] = []
  const window = parseWindow(request, now, errors)
  const keys = parseGroupBy(request.group_by ?? defaultGroupBy)
  if (keys === undefined)
    errors.push({
      pointer: '?group_by',
      message: `must be one of ${groupKinds.join(', ')}, or label: or annotation: and a name; or up to three of them with commas, at most one of them a label or annotation`,
    })
  const label = labelOf(keys ?? [])
  if (label !== undefined && !keptLabels.includes(label))
    errors.push({
      pointer: '?group_by',
      message: `names a label that is not stored: CHEAPSIDE_COST_LABELS must contain it when usage is received; now it contains ${keptLabels.join(', ') || 'none'}`,
    })
  const off = parseOff(request.without, saved, errors)
  const after = request.cursor === undefined ? undefined : parseCursor(request.cursor, keys ?? [])
  if (request.cursor !== undefined && after === undefined)
    errors.push({ pointer: '?cursor', message: 'must come from a Link header' })
  if (errors.length > 0) throw new Problem('invalid', 'The query is invalid.', { errors })
  const sharing = sharingIn(request.sharing, saved)
  return {
    ...window,
    keys: keys!,
    sharing,
    isShared: isSharing(sharing),
    off,
    cluster: request.cluster || undefined,
    namespace: request.namespace || undefined,
    limit: request.limit ?? Number.POSITIVE_INFINITY,
    after,
  }
}

/** Parts of the request, or those that the organisation has switched off. */
export function parseOff(
  without: string | undefined,
  { off }: CostSharing,
  errors: FieldError[],
): readonly CostPartName[] {
  if (without === undefined || without === 'saved') return off
  const names = without === '' || without === 'nothing' ? [] : without.split(',')
  const known = costPartNames.filter((name) => names.includes(name))
  if (known.length < names.length)
    errors.push({
      pointer: '?without',
      message: `must be nothing, saved, or some of ${costPartNames.join(', ')}`,
    })
  return known
}

/** A method of the request applies to idle cost, and to shared namespaces if any are saved. */
export function sharingIn(asked: string | undefined, saved: CostSharing): CostSharing {
  const method = sharingMethods.find((name) => name === asked)
  return method === undefined ? saved : { ...saved, idle: method, shared: method }
}

/**
 * The default is the last 30 days in steps of a day. A date without a time is a whole day, also as the end of the period.
 */
export function parseWindow(request: WindowRequest, now: number, errors: FieldError[]): StepWindow {
  const step = stepNames.find((name) => name === (request.step ?? 'day'))
  if (step === undefined) errors.push({ pointer: '?step', message: `must be one of ${stepNames.join(', ')}` })
  const absent = { endMs: now, lengthMs: defaultCostDays * dayMs }
  const { startMs, endMs } = parsePeriod(
    { start_date: startOfDay(request.start_date, 0), end_date: startOfDay(request.end_date, 1) },
    absent,
    errors,
  )
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

export const costCursor = ({ type, values, fromHour }: RowKey): string =>
  cursorOf([type, fromHour, ...values])

function parseCursor(cursor: string, { length }: readonly unknown[]): RowKey | undefined {
  const [type, fromHour, ...values] = cursorParts(cursor)
  const found = costTypes.find((name) => name === type)
  if (found === undefined || !Number.isInteger(fromHour) || values.length !== length) return undefined
  if (!values.every((value) => typeof value === 'string')) return undefined
  return { type: found, values, fromHour: fromHour as number }
}
