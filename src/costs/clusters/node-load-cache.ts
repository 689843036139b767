import type { Clock } from '../../domain/time.ts'
import type { NodeLoadDay, UsageStore } from '../../usage/port.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import type { NodeLoads } from '../allocation/nodes.ts'
import { isSufficient, type LoadSource, type NodeLoadPage, refreshPage } from './node-load-page.ts'

/** The load of the nodes of a cluster, all namespaces together, and the time of the last sample. */
export interface ClusterLoads {
  readonly loads: NodeLoads
  /** Time of the last sample in the requested hours, in seconds since 1970; 0 if there is none. */
  readonly endAt: number
  /** The first of the requested hours in which anything was seen, in hours since 1970. */
  readonly firstHour: number
  /** Time of the first sample in the requested hours, within some minutes, in hours since 1970. */
  readonly measuredFrom: number
}

const maxKept = 64
/** Largest number of node hours in memory, about 128 MB. */
const maxNodeHours = 6_400_000

/**
 * A namespace's part of a node's price depends on everything that ran on the node. Reading all of that for every
 * request would cost more than the request itself, so it is cached for a while, hour by hour, with some bytes per node
 * and hour. If a window overlaps a cached one, only the hours beyond it are read.
 */
export class NodeLoadCache {
  readonly #store: LoadStore
  readonly #now: Clock
  readonly #maxNodeHours: number
  /** Cached pages, least recently requested first. */
  readonly #kept = new Set<CachedPage>()
  #nodeHours = 0

  constructor(store: LoadStore, now: Clock, most = maxNodeHours) {
    this.#store = store
    this.#now = now
    this.#maxNodeHours = most
  }

  async loadsOf(organisation: string, cluster: string, hours: HourRange): Promise<ClusterLoads> {
    const name = `${organisation}\0${cluster}`
    const asked = { ...hours, at: this.#now() }
    const source = this.#sourceOf(organisation, cluster)
    // A page that is being read, perhaps for a much longer window, need not be waited for if the one before it suffices.
    const earlier = this.#nearest(name, hours)?.earlier
    if (earlier !== undefined && (await isSufficient(earlier, asked, source))) return loadsIn(earlier, hours)
    const before = this.#nearest(name, hours)
    if (before !== undefined) this.#drop(before)
    const page = this.#renewed(before?.page, asked, source)
    const kept: CachedPage = {
      name,
      page,
      read: undefined,
      earlier: before?.read ?? before?.earlier,
      hours: union(before?.hours, hours),
      nodeHours: 0,
      wholeUntil: forever,
    }
    this.#kept.add(kept)
    page.then(
      (read) => this.#settle(kept, read),
      () => this.#drop(kept),
    )
    if (this.#kept.size > maxKept) this.#drop(this.#kept.values().next().value!)
    return loadsIn(await page, hours)
  }

  /** The cached page of the cluster that overlaps most. A disjoint page would have to be extended up to these hours. */
  #nearest(name: string, hours: HourRange): CachedPage | undefined {
    let [nearest, most]: [CachedPage | undefined, number] = [undefined, -1]
    for (const kept of this.#kept) {
      const shared = Math.min(kept.hours.to, hours.to) - Math.max(kept.hours.from, hours.from)
      if (kept.name === name && shared > most) [nearest, most] = [kept, shared]
    }
    return nearest
  }

  async #renewed(
    before: Promise<NodeLoadPage> | undefined,
    asked: HourRange & { readonly at: number },
    source: LoadSource,
  ): Promise<NodeLoadPage> {
    return refreshPage(await before?.catch(() => undefined), asked, source, this.#now)
  }

  #sourceOf(organisation: string, cluster: string): LoadSource {
    const { usage } = this.#store
    return {
      changedAt: (days) => usage.nodeLoadsChangedAt(organisation, cluster, days),
      read: ({ from, to }) =>
        usage.digests(organisation, {
          kind: 'container',
          cluster,
          fromHour: from,
          toHour: to,
          summariesBefore: to,
        }),
      kept: (days, most) => usage.nodeLoads(organisation, cluster, days, most),
      keep: (days) => void this.#keepDays(organisation, cluster, days),
    }
  }

  async #keepDays(organisation: string, cluster: string, days: Iterable<NodeLoadDay>): Promise<void> {
    try {
      for (const day of days) await this.#store.usage.keepNodeLoads(organisation, cluster, [day])
    } catch {
      // Days that could not be kept are read again.
    }
  }

  #settle(kept: CachedPage, read: NodeLoadPage): void {
    if (!this.#kept.has(kept)) return
    const { loads, hours, wholeUntil } = read
    kept.read = read
    kept.earlier = undefined
    kept.wholeUntil = wholeUntil
    kept.hours = hours
    kept.nodeHours = loads.nodeHours
    this.#nodeHours += kept.nodeHours
    this.#ensureCapacity(kept)
  }

  /**
   * Drops expired pages first, then the least recently requested ones. The page that was just read stays, however large
   * it is.
   */
  #ensureCapacity(justRead: CachedPage): void {
    const now = this.#now()
    for (const kept of this.#kept) if (kept.wholeUntil <= now) this.#drop(kept)
    for (const kept of this.#kept) {
      if (this.#nodeHours <= this.#maxNodeHours) return
      if (kept !== justRead) this.#drop(kept)
    }
  }

  #drop(kept: CachedPage): void {
    if (this.#kept.delete(kept)) this.#nodeHours -= kept.nodeHours
  }
}

interface LoadStore {
  readonly usage: Pick<UsageStore, 'digests' | 'nodeLoads' | 'nodeLoadsChangedAt' | 'keepNodeLoads'>
}

interface CachedPage {
  readonly name: string
  readonly page: Promise<NodeLoadPage>
  read: NodeLoadPage | undefined
  /** Until it is read: the page that it completes, if that one was read. */
  earlier: NodeLoadPage | undefined
  hours: HourRange
  /** Size of the page in node hours; 0 until it is read. */
  nodeHours: number
  /** Time in milliseconds since 1970 at which the page as a whole expires. */
  wholeUntil: number
}

const loadsIn = ({ loads, ends }: NodeLoadPage, { from, to }: HourRange): ClusterLoads => ({
  loads,
  endAt: ends.lastIn(from, to),
  firstHour: ends.firstIn(from, to),
  measuredFrom: ends.startIn(from, to),
})

const forever = Number.POSITIVE_INFINITY

const union = (a: HourRange | undefined, b: HourRange): HourRange =>
  a === undefined ? b : { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) }
