import { dollars, round } from '../../domain/money.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import type { Unchecked } from '../../domain/schema.ts'
import { compareUtf8, plural } from '../../domain/text.ts'
import { hourMs, timeOfHour } from '../../domain/time.ts'
import { nodeKey, readEntities } from '../../usage/digest/entities.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import {
  type ChangeParts,
  type ContainerCosts,
  changeParts,
  type NodeKindOf,
  noParts,
  PeriodCosts,
  partsOfContainer,
  timesHours,
  usdOfContainer,
} from '../allocation/change-parts.ts'
import { CostGroups } from '../allocation/cost-groups.ts'
import { memoizeNodePrices } from '../allocation/nodes.ts'
import { roundToTotal } from '../allocation/round-to-total.ts'
import {
  type CostSharing,
  isSharing,
  nothingShared,
  receivedCosts,
  sharingKeys,
} from '../allocation/share-costs.ts'
import { TimeSteps } from '../allocation/time-steps.ts'
import { bothSinks, type CostPartName } from '../parts/cost-part.ts'
import { type Cause, causesOf } from './change-causes.ts'
import { measuredText } from './measured.ts'
import { parseOff, parseWindow, type StepWindow, sharingIn } from './query.ts'
import { type CostsDeps, collectCosts } from './report-costs.ts'
import type { CostChangeQuery, CostChangeView } from './schema.ts'

export interface ChangeQuery {
  readonly now: StepWindow
  readonly before: StepWindow
  readonly groupBy: 'cluster' | 'namespace' | 'workload'
  readonly cluster: string | undefined
  readonly namespace: string | undefined
  readonly off: readonly CostPartName[]
  readonly sharing: CostSharing
}

/** Without a period to compare with, it is that of the same length just before. */
export function parseChangeRequest(
  request: Unchecked<typeof CostChangeQuery>,
  nowMs: number,
  saved: CostSharing = nothingShared,
): ChangeQuery {
  const errors: FieldError[] = []
  const { start_date, end_date, before_start_date, before_end_date } = request
  const now = parseWindow({ start_date, end_date, step: 'month' }, nowMs, errors)
  const isAbsent = before_start_date === undefined && before_end_date === undefined
  if (!isAbsent && (before_start_date === undefined || before_end_date === undefined))
    errors.push({ pointer: '?before_start_date', message: 'and before_end_date must be given together' })
  const lengthMs = now.endMs - now.startMs
  const earlier = isAbsent
    ? { start_date: iso(now.startMs - lengthMs), end_date: iso(now.startMs) }
    : { start_date: before_start_date, end_date: before_end_date }
  const ownErrors: FieldError[] = []
  const before =
    errors.length > 0 ? now : parseWindow({ ...earlier, step: 'month' }, nowMs, isAbsent ? errors : ownErrors)
  errors.push(...ownErrors.map((each) => ({ ...each, pointer: each.pointer.replace('?', '?before_') })))
  const off = parseOff(request.without, saved, errors)
  if (errors.length > 0) throw new Problem('invalid', 'The query is invalid.', { errors })
  return {
    now,
    before,
    groupBy: (request.group_by ?? 'namespace') as ChangeQuery['groupBy'],
    cluster: request.cluster || undefined,
    namespace: request.namespace || undefined,
    off,
    sharing: sharingIn(request.sharing, saved),
  }
}

const iso = (ms: number): string | undefined => (Number.isFinite(ms) ? new Date(ms).toISOString() : undefined)

/** Explains why costs differ between two periods, group by group, exact to the cent. */
export async function explainChange(
  deps: Pick<CostsDeps, 'store' | 'now' | 'loads' | 'nodePrices' | 'parts'>,
  organisation: string,
  query: ChangeQuery,
  signal?: AbortSignal,
): Promise<CostChangeView> {
  const { cluster, namespace, off, sharing, groupBy } = query
  const kindOf = await readNodeKinds(deps, organisation, cluster)
  const periodOf = async ({ hours }: StepWindow): Promise<PeriodCosts> => {
    const prices = memoizeNodePrices(await deps.nodePrices(organisation, cluster, hours))
    const costs = new PeriodCosts(hours, prices, kindOf)
    if (hours.from >= hours.to) return costs
    const isShared = isSharing(sharing) && groupBy !== 'cluster'
    const keys = sharingKeys(groupBy === 'workload' ? ['workload'] : [])
    const grouping = { keys, hours, steps: new TimeSteps(hours, 'day'), namespace }
    const groups = new CostGroups(grouping, prices, undefined)
    await collectCosts(
      deps,
      organisation,
      { hours, cluster, namespace: isShared ? undefined : namespace, off },
      isShared ? bothSinks(costs, groups) : costs,
      signal,
    )
    if (isShared) {
      costs.keepOnly(namespace)
      costs.received = receivedCosts(groups, sharing, grouping)
    }
    return costs
  }
  const before = await periodOf(query.before)
  const now = await periodOf(query.now)
  return viewChange(query, before, now)
}

async function readNodeKinds(
  { store }: Pick<CostsDeps, 'store'>,
  organisation: string,
  cluster: string | undefined,
): Promise<NodeKindOf> {
  const of = cluster === undefined ? {} : { cluster }
  const nodes = await readEntities(store.usage, organisation, { kinds: ['node', 'machine'], ...of })
  return (nodeCluster, name) => {
    const node = nodes.get(nodeKey(nodeCluster, name))
    const textOf = (attribute: string) => String(node?.attributes.get(attribute)?.value ?? '')
    const type = textOf('instanceType')
    return type === '' ? `node ${name}` : [type, textOf('zone'), textOf('capacityType')].join('\0')
  }
}

interface GroupSum {
  readonly cluster: string
  readonly namespace: string | null
  readonly workload: string | null
  before: number
  readonly parts: ChangeParts
}

export function viewChange(query: ChangeQuery, before: PeriodCosts, now: PeriodCosts): CostChangeView {
  const groups = new Map<string, GroupSum>()
  const groupAt = (cluster: string, of?: Partial<ContainerCosts>): GroupSum => {
    const namespace = query.groupBy === 'cluster' ? null : of?.namespace || null
    const workload = query.groupBy === 'workload' ? of?.workload || null : null
    const key = [cluster, namespace ?? '', workload ?? ''].join('\0')
    const empty = () => ({ ...{ cluster, namespace, workload }, before: 0, parts: noParts() })
    return groups.getOrInsertComputed(key, empty)
  }
  // A month has more hours than another, or was measured for more: what that changes is apart from all else.
  const hoursFactor = (cluster: string): number => {
    const [was, is] = [before, now].map(({ measured }) => lengthOf(measured.get(cluster)))
    return was! > 0 && is! > 0 ? is! / was! : 1
  }
  const hoursUsd = new Map<string, number>()
  const addHours = (cluster: string, usd: number): number => {
    const hours = usd * (hoursFactor(cluster) - 1)
    hoursUsd.set(cluster, hours + (hoursUsd.get(cluster) ?? 0))
    return hours
  }
  const causes: Cause[] = []
  const priceBefore = before.unitPrices()
  let nowUsd = 0
  for (const key of new Set([...before.containers.keys(), ...now.containers.keys()])) {
    const [found, is] = [before.containers.get(key), now.containers.get(key)]
    const container = (is ?? found)!
    const was = found && timesHours(found, hoursFactor(container.cluster))
    const wasUsd = found === undefined ? 0 : usdOfContainer(found)
    const parts = partsOfContainer(was, is, priceBefore)
    const hours = addHours(container.cluster, wasUsd)
    const group = groupAt(container.cluster, container)
    group.before += wasUsd
    nowUsd += is === undefined ? 0 : usdOfContainer(is)
    for (const part of changeParts) group.parts[part] += parts[part]
    group.parts.hours += hours
    causes.push({ container, was, is, parts })
  }
  for (const cluster of new Set([...before.idleUsd.keys(), ...now.idleUsd.keys()])) {
    const [was, is] = [before.idleUsd.get(cluster) ?? 0, now.idleUsd.get(cluster) ?? 0]
    const group = groupAt(cluster)
    group.before += was
    nowUsd += is
    const hours = addHours(cluster, was)
    const idle = is - was - hours
    group.parts.hours += hours
    group.parts.idle += idle
    causes.push({ cluster, parts: { ...noParts(), idle } })
  }
  for (const { values, usd } of before.received) {
    const [cluster = '', namespace = '', workload = ''] = values
    const group = groupAt(cluster, { namespace, workload })
    group.before += usd
    const hours = addHours(cluster, usd)
    group.parts.hours += hours
    group.parts.shared -= usd + hours
  }
  for (const { values, usd } of now.received) {
    const [cluster = '', namespace = '', workload = ''] = values
    groupAt(cluster, { namespace, workload }).parts.shared += usd
    nowUsd += usd
  }
  for (const [cluster, hours] of hoursUsd) causes.push({ cluster, parts: { ...noParts(), hours } })
  const isCost = ({ before: usd, parts }: GroupSum) =>
    usd !== 0 || changeParts.some((part) => parts[part] !== 0)
  return inCents(query, [...groups.values()].filter(isCost), nowUsd, causes, { before, now })
}

/** All amounts are whole cents, and add up in both directions: parts to changes, and groups to the whole. */
function inCents(
  query: ChangeQuery,
  sums: readonly GroupSum[],
  nowUsd: number,
  causes: readonly Cause[],
  costs: { readonly before: PeriodCosts; readonly now: PeriodCosts },
): CostChangeView {
  const { now, before, groupBy } = query
  const changeOf = ({ parts }: GroupSum): number => changeParts.reduce((sum, part) => sum + parts[part], 0)
  const beforeUsd = round(
    sums.reduce((sum, group) => sum + group.before, 0),
    2,
  )
  const changeUsd = round(round(nowUsd, 2) - beforeUsd, 2)
  const befores = roundToTotal(
    sums.map((group) => group.before),
    beforeUsd,
  )
  const changes = roundToTotal(sums.map(changeOf), changeUsd)
  const total = noParts()
  const groups = sums.map((group, index) => {
    const change = changes[index]!
    const cents = roundToTotal(
      changeParts.map((part) => group.parts[part]),
      change,
    )
    for (const [at, part] of changeParts.entries()) total[part] = round(total[part] + cents[at]!, 2)
    const { namespace, workload } = group
    return {
      ...{ cluster: group.cluster || null, namespace },
      ...(groupBy === 'workload' ? { workload } : {}),
      before_usd: befores[index]!,
      cost_usd: round(befores[index]! + change, 2),
      change_usd: change,
      ...partsView(Object.fromEntries(changeParts.map((part, at) => [part, cents[at]!])) as ChangeParts),
    }
  })
  const nameOf = ({ cluster, namespace, workload }: (typeof groups)[number]) =>
    [cluster, namespace, workload ?? ''].join('\0')
  const note = incomparable(
    { usd: beforeUsd, measured: measuredHours(costs.before), hours: before.hours },
    { usd: round(nowUsd, 2), measured: measuredHours(costs.now), hours: now.hours },
  )
  return {
    start: timeOfHour(now.hours.from),
    end: timeOfHour(now.hours.to),
    before_start: timeOfHour(before.hours.from),
    before_end: timeOfHour(before.hours.to),
    measured_hours: measuredHours(costs.now),
    before_measured_hours: measuredHours(costs.before),
    before_usd: beforeUsd,
    cost_usd: round(nowUsd, 2),
    change_usd: changeUsd,
    ...partsView(total),
    note,
    groups: groups.sort(
      (a, b) => Math.abs(b.change_usd) - Math.abs(a.change_usd) || compareUtf8(nameOf(a), nameOf(b)),
    ),
    causes:
      note !== null ? [] : causesOf(causes, (now.endMs - now.startMs) / hourMs, clustersBegun(query, costs)),
  }
}

interface MeasuredPeriod {
  readonly usd: number
  readonly measured: number
  readonly hours: HourRange
}

/** The sentence about periods of which one was measured for less than half as large a share; null if they compare. */
function incomparable(before: MeasuredPeriod, now: MeasuredPeriod): string | null {
  const [was, is] = [before, now].map(({ measured, hours }) => measured / Math.max(1, hours.to - hours.from))
  if (isComparable(was!, is!)) return null
  const textOf = ({ measured, hours: { from, to } }: MeasuredPeriod) =>
    to - from < 48
      ? `${round(measured, 1)} of ${plural(to - from, 'hour')}`
      : measuredText({ hours: measured, ofHours: to - from })
  const measured = `Measured were ${textOf(before)} before and ${textOf(now)} now, so that most of the change is what was not measured.`
  if (Math.min(before.measured, now.measured) < 1) return `${measured} The periods cannot be compared.`
  const rateOf = ({ usd, measured: hours }: MeasuredPeriod) => dollars((usd / hours) * 730)
  return `${measured} At the measured rate, a month cost ${rateOf(before)} before and costs ${rateOf(now)} now.`
}

/** Whether neither period was measured for less than half as large a share as the other. */
const isComparable = (was: number, is: number): boolean => Math.min(was, is) * 2 >= Math.max(was, is)

/** Clusters whose earlier period was measured too little to say what is new in them. */
function clustersBegun(
  { now, before }: Pick<ChangeQuery, 'now' | 'before'>,
  costs: { readonly before: PeriodCosts; readonly now: PeriodCosts },
): Set<string> {
  const shareOf = ({ measured }: PeriodCosts, cluster: string, { hours }: StepWindow): number =>
    lengthOf(measured.get(cluster)) / Math.max(1, hours.to - hours.from)
  const hasBegun = (cluster: string): boolean => {
    const [was, is] = [shareOf(costs.before, cluster, before), shareOf(costs.now, cluster, now)]
    return was < is && !isComparable(was, is)
  }
  return new Set([...costs.now.measured.keys()].filter(hasBegun))
}

/** Hours in which the cluster that was measured longest was measured. */
const measuredHours = ({ measured }: PeriodCosts): number =>
  round(Math.max(0, ...[...measured.values()].map(lengthOf)), 2)

const lengthOf = (hours: HourRange | undefined): number => (hours === undefined ? 0 : hours.to - hours.from)

const partsView = (parts: ChangeParts) => ({
  hours_usd: parts.hours,
  new_usd: parts.new,
  gone_usd: parts.gone,
  count_usd: parts.count,
  size_usd: parts.size,
  mix_usd: parts.mix,
  price_usd: parts.price,
  idle_usd: parts.idle,
  shared_usd: parts.shared,
})
