import { isEstimate, type NodePrice, type NodePrices, type PriceSpan } from '../costs/allocation/nodes.ts'
import type { CostSharing } from '../costs/allocation/share-costs.ts'
import { sharingOf } from '../costs/report/organisation-sharing.ts'
import { type Clock, dayHours, lastDayOver } from '../domain/time.ts'
import { type SettingsStore, StoreUnavailable } from '../store/port.ts'
import type { NodePriceStore, PricedNode, StoredNodePrice } from '../store/port-node-prices.ts'
import { readEntities } from '../usage/digest/entities.ts'
import type { UsageStore } from '../usage/port.ts'
import type { HourRange } from '../usage/reading/pod-usage.ts'
import { readVolumeDays } from '../usage/reading/volume-days.ts'
import { priceNameOf, type VolumePrice, VolumePrices } from './disks/volume-prices.ts'
import { marketOf, type PricingDeps } from './market.ts'
import { type NodeCost, nodePrices, priceNode } from './price-node.ts'

export interface ClosedPriceDeps {
  readonly pricing: PricingDeps
  readonly store: {
    readonly usage: Pick<UsageStore, 'entities'>
    readonly settings: SettingsStore
    readonly nodePrices: NodePriceStore
  }
  readonly now: Clock
}

/** Days before `closedUntil`, since 1970, keep their prices. `recounts` says how often somebody changed that. */
interface Closed {
  readonly closedUntil: number
  readonly recounts: number
}

const settingName = 'closed-prices'

export const closedPricesVersion = async (
  settings: Pick<SettingsStore, 'read'>,
  organisation: string,
): Promise<string> => (await settings.read(organisation, settingName)) ?? ''

async function readClosed({ store }: ClosedPriceDeps, organisation: string): Promise<Closed> {
  const text = await closedPricesVersion(store.settings, organisation)
  return text === '' ? { closedUntil: 0, recounts: 0 } : JSON.parse(text)
}

/**
 * Stores the prices of all nodes, machines, volumes and load balancers for the days that are over, once. The first price of one is
 * that of all days before, too; a later one is stored when it differs. Base rates are estimates and are not stored, so that a price that becomes
 * known later applies. Returns the first day that is not closed.
 */
export async function closePrices(deps: ClosedPriceDeps, organisation: string): Promise<number> {
  const { store } = deps
  const day = lastDayOver(deps.now())
  const { closedUntil, recounts } = await readClosed(deps, organisation)
  if (closedUntil > day) return closedUntil
  const current = await currentPrices(deps, organisation)
  if (current.size === 0) return day + 1
  const known = await pricesOn(deps, organisation, day)
  const changed = [...current].flatMap(([key, { node, cost, lastHour }]): StoredNodePrice[] => {
    if (cost === undefined) return []
    const before = known.get(key)
    if (before === undefined) return [{ ...node, day: 0, json: JSON.stringify(cost) }]
    const isChanged = lastHour >= day * dayHours && !isSamePrice(JSON.parse(before.json), cost)
    return isChanged ? [{ ...node, day, json: JSON.stringify(cost) }] : []
  })
  try {
    await store.nodePrices.write(organisation, changed)
    await store.nodePrices.remove(
      organisation,
      [...known].filter(([key]) => !current.has(key)).map(([, { json: _, day: __, ...node }]) => node),
    )
    await store.settings.write(organisation, settingName, JSON.stringify({ closedUntil: day + 1, recounts }))
    return day + 1
  } catch (error) {
    // Costs can be read while nothing can be written.
    if (error instanceof StoreUnavailable) return closedUntil
    throw error
  }
}

/** Counts closed days again at current prices; `to` is not included. Returns the days, and the number of prices. */
export async function recountPrices(
  deps: ClosedPriceDeps,
  organisation: string,
  days: { readonly from: number; readonly to: number },
): Promise<{ readonly from: number; readonly to: number; readonly nodes: number }> {
  const closedUntil = await closePrices(deps, organisation)
  const from = Math.max(1, days.from)
  const to = Math.max(from, Math.min(days.to, closedUntil))
  const [current, before, after] = [
    await currentPrices(deps, organisation),
    await pricesOn(deps, organisation, from),
    await pricesOn(deps, organisation, to),
  ]
  const rows = [...after].flatMap(([key, price]) => {
    const cost = current.get(key)?.cost
    const json = cost === undefined ? before.get(key)!.json : JSON.stringify(cost)
    return [{ ...price, day: from, json }, ...(to < closedUntil ? [{ ...price, day: to }] : [])]
  })
  if (from === to || rows.length === 0) return { from, to, nodes: 0 }
  const { recounts } = await readClosed(deps, organisation)
  await deps.store.nodePrices.replace(organisation, { from, to }, rows)
  const closed: Closed = { closedUntil, recounts: recounts + 1 }
  await deps.store.settings.write(organisation, settingName, JSON.stringify(closed))
  return { from, to, nodes: after.size }
}

/** Finds what was stored for an hour of a closed day; undefined where the current price counts. */
export async function closedPrices(
  deps: ClosedPriceDeps,
  organisation: string,
  query: {
    readonly kind: PricedNode['kind']
    readonly cluster: string | undefined
    readonly hours: HourRange
  },
): Promise<(cluster: string, name: string, hour: number) => string | undefined> {
  const closedUntil = await closePrices(deps, organisation)
  const { hours, ...of } = query
  const days = { from: Math.floor(hours.from / dayHours), to: Math.ceil(hours.to / dayHours) }
  const stored = Map.groupBy(await deps.store.nodePrices.read(organisation, { ...of, ...days }), keyOf)
  return (cluster, name, hour) => {
    const day = Math.floor(hour / dayHours)
    const rows = day < closedUntil ? stored.get(keyOf({ kind: query.kind, cluster, name })) : undefined
    return rows?.findLast((row) => row.day <= day)?.json
  }
}

export async function nodePricesOver(
  deps: ClosedPriceDeps,
  organisation: string,
  cluster: string | undefined,
  hours: HourRange,
): Promise<NodePrices> {
  const closedUntil = await closePrices(deps, organisation)
  const { pricing, store } = deps
  const current = await nodePrices({ pricing, usage: store.usage }, organisation, cluster)
  const spansOf = await readSpans(deps, organisation, { cluster, hours, closedUntil })
  return {
    priceOf: current.priceOf,
    earlierOf: (of, name) =>
      spansOf({ kind: of === '' ? 'machine' : 'node', cluster: of, name }, () => current.priceOf(of, name)),
  }
}

interface SpansQuery {
  readonly cluster: string | undefined
  readonly hours: HourRange
  readonly closedUntil: number
}

/** Reads the prices of closed days. There are none where nothing differs from the current price. */
async function readSpans(
  { store }: Pick<ClosedPriceDeps, 'store'>,
  organisation: string,
  { cluster, hours, closedUntil }: SpansQuery,
): Promise<(node: PricedNode, current: () => NodePrice) => readonly PriceSpan[]> {
  const days = { from: Math.floor(hours.from / dayHours), to: Math.ceil(hours.to / dayHours) }
  const to = Math.min(days.to, closedUntil)
  const stored =
    days.from < to ? await store.nodePrices.read(organisation, { cluster, from: days.from, to }) : []
  const rowsOf = Map.groupBy(stored, keyOf)
  // Many nodes have the same price, and an equal one is the same object.
  const parsed = new Map<string, NodePrice>()
  const priceOf = (json: string) => parsed.getOrInsertComputed(json, () => JSON.parse(json))
  return (node, current) => {
    const rows = rowsOf.get(keyOf(node)) ?? []
    if (rows.length === 0 || (rows.length === 1 && isSamePrice(priceOf(rows[0]!.json), current()))) return []
    return rows.map(({ json }, index) => ({
      untilHour: (rows[index + 1]?.day ?? closedUntil) * dayHours,
      price: priceOf(json),
    }))
  }
}

const keyOf = ({ kind, cluster, name }: PricedNode): string => [kind, cluster, name].join('\0')

/** The day of a list changes with each refresh, and most prices do not. */
const isSamePrice = (a: unknown, b: unknown): boolean => withoutDay(a) === withoutDay(b)
const withoutDay = (price: unknown): string =>
  JSON.stringify(price, (key, value) => (key === 'day' ? '' : value))

async function pricesOn({ store }: ClosedPriceDeps, organisation: string, day: number) {
  const rows = await store.nodePrices.read(organisation, { from: day, to: day + 1 })
  return new Map(rows.map((row) => [keyOf(row), row]))
}

interface PricedEntity {
  readonly node: PricedNode
  /** Undefined without a price. */
  readonly cost: NodeCost | VolumePrice | number | undefined
  readonly lastHour: number
}

/** The name of a price that is the same for a whole cluster: of load balancers, and of the network. */
export const clusterPriceName = 'all'

/** The price of a GiB that a pod sends; undefined if it is not known which part of it goes to the internet. */
export const internetGibUsd = ({ networkGibUsd, internetPercent }: CostSharing): number | undefined =>
  networkGibUsd === null || internetPercent === null ? undefined : (networkGibUsd * internetPercent) / 100

async function currentPrices({ pricing, store }: ClosedPriceDeps, organisation: string) {
  const market = await marketOf(pricing, organisation)
  const kinds = ['node', 'machine', 'load-balancer'] as const
  const entities = await readEntities(store.usage, organisation, { kinds })
  const sharing = await sharingOf({ store }, organisation)
  const priced = [...entities.values()].map(({ ref, ...of }): PricedEntity => {
    const { cluster, name } = ref
    if (ref.kind === 'load-balancer') {
      const node = { kind: 'load_balancer', cluster, name: clusterPriceName } as const
      return { node, cost: sharing.loadBalancerMonthUsd ?? undefined, lastHour: of.lastHour }
    }
    const cost = priceNode(pricing, market, { ref, ...of })
    const node = { kind: ref.kind === 'machine' ? 'machine' : 'node', cluster, name } as const
    return { node, cost: isEstimate(cost) ? undefined : cost, lastHour: of.lastHour }
  })
  const always = { from: 0, to: Number.POSITIVE_INFINITY }
  const volumes = await readVolumeDays(store.usage, organisation, { hours: always })
  const prices = volumes.length === 0 ? undefined : await VolumePrices.open({ pricing, store }, organisation)
  for (const volume of volumes) {
    const node = { kind: 'volume', cluster: volume.cluster, name: priceNameOf(volume) } as const
    priced.push({ node, cost: prices!.unitPriceOf(volume), lastHour: volume.lastHour })
  }
  for (const { node, lastHour } of priced.filter(({ node }) => node.kind === 'node'))
    priced.push({
      node: { ...node, kind: 'network', name: clusterPriceName },
      cost: internetGibUsd(sharing),
      lastHour,
    })
  priced.sort((a, b) => a.lastHour - b.lastHour)
  return new Map(priced.map((each) => [keyOf(each.node), each]))
}
