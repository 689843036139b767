import type { NodeLoads } from '../allocation/nodes.ts'
import type { Clock } from '../domain/time.ts'
import { BackgroundWork } from '../runtime/yielder.ts'
import type { NodeLoadDay, UsageStore } from '../usage/port.ts'
import type { HourRange } from '../usage/reading/pod-usage.ts'
import { type LoadSource, type NodeLoadPage, refreshPage } from './node-load-page.ts'

/** The load of the nodes of a cluster, all namespaces together, and the time of the last sample. */
export interface ClusterLoads {
  /** The loads cover at least the requested hours. */
  readonly loads: NodeLoads
  /** Seconds since 1970 of the last sample in these hours; 0 where there is none. */
  readonly endAt: number
  /** Hours since 1970: the first of these hours in which anything was seen. */
  readonly firstHour: number
}

const mostKept = 64
/** About 128 MB. */
const mostNodeHours = 8_000_000

/**
 * A namespace's part of a node's price depends on all that ran on the node. Reading all of it for every question would cost
 * more than the question, so it is kept for a while, hour by hour: a window that overlaps one asked about before is read as
 * far as it reaches beyond. Some bytes per node and hour.
 */
export class NodeLoadCache {
  readonly #store: LoadStore
  readonly #now: Clock
  readonly #mostNodeHours: number
  /** In order of when they were last asked for. */
  readonly #kept = new Set<Kept>()
  #nodeHours = 0

  constructor(store: LoadStore, now: Clock, most = mostNodeHours) {
    this.#store = store
    this.#now = now
    this.#mostNodeHours = most
  }

  async of(organisation: string, cluster: string, hours: HourRange): Promise<ClusterLoads> {
    const name = `${organisation}\0${cluster}`
    const before = this.#nearest(name, hours)
    before?.background?.hurryUntil(before.page)
    if (before !== undefined) this.#drop(before)
    const page = this.#renewed(before?.page, organisation, cluster, hours)
    const kept: Kept = {
      name,
      page,
      background: BackgroundWork.current,
      hours: together(before?.hours, hours),
      nodeHours: 0,
      wholeUntil: forever,
    }
    this.#kept.add(kept)
    page.then(
      (made) => this.#settle(kept, made),
      () => this.#drop(kept),
    )
    if (this.#kept.size > mostKept) this.#drop(this.#kept.values().next().value!)
    const made = await page
    const { from, to } = hours
    return { loads: made.loads, endAt: made.ends.lastIn(from, to), firstHour: made.ends.firstIn(from, to) }
  }

  /** The cached page of the cluster that overlaps most. A disjoint page would have to be extended up to these hours. */
  #nearest(name: string, hours: HourRange): Kept | undefined {
    let [nearest, most]: [Kept | undefined, number] = [undefined, -1]
    for (const kept of this.#kept) {
      const shared = Math.min(kept.hours.to, hours.to) - Math.max(kept.hours.from, hours.from)
      if (kept.name === name && shared > most) [nearest, most] = [kept, shared]
    }
    return nearest
  }

  async #renewed(
    before: Promise<NodeLoadPage> | undefined,
    organisation: string,
    cluster: string,
    hours: HourRange,
  ): Promise<NodeLoadPage> {
    const asked = { ...hours, at: this.#now() }
    const known = await before?.catch(() => undefined)
    const { usage } = this.#store
    const source: LoadSource = {
      changedAt: (days) => usage.nodeLoadsChangedAt(organisation, cluster, days),
      read: ({ from, to }) =>
        usage.digests(organisation, {
          ...{ kind: 'container', cluster },
          ...{ fromHour: from, toHour: to, summariesBefore: to },
        }),
      kept: (days) => usage.nodeLoads(organisation, cluster, days),
      keep: (days) => void this.#keepDays(organisation, cluster, days),
    }
    return refreshPage(known, asked, source, this.#now)
  }

  async #keepDays(organisation: string, cluster: string, days: Iterable<NodeLoadDay>): Promise<void> {
    try {
      for (const day of days) await this.#store.usage.keepNodeLoads(organisation, cluster, [day])
    } catch {
      // What could not be kept is read again.
    }
  }

  #settle(kept: Kept, { loads, hours, wholeUntil }: NodeLoadPage): void {
    if (!this.#kept.has(kept)) return
    kept.wholeUntil = wholeUntil
    kept.hours = hours
    kept.nodeHours = loads.nodeHours
    this.#nodeHours += kept.nodeHours
    this.#ensureCapacity(kept)
  }

  /** What is past believing goes first, then what was asked for longest ago; what was just read stays, however large. */
  #ensureCapacity(justRead: Kept): void {
    const now = this.#now()
    for (const kept of this.#kept) if (kept.wholeUntil <= now) this.#drop(kept)
    for (const kept of this.#kept) {
      if (this.#nodeHours <= this.#mostNodeHours) return
      if (kept !== justRead) this.#drop(kept)
    }
  }

  #drop(kept: Kept): void {
    if (this.#kept.delete(kept)) this.#nodeHours -= kept.nodeHours
  }
}

interface LoadStore {
  readonly usage: Pick<UsageStore, 'digests' | 'nodeLoads' | 'nodeLoadsChangedAt' | 'keepNodeLoads'>
}

interface Kept {
  /** Organisation and cluster. */
  readonly name: string
  readonly page: Promise<NodeLoadPage>
  /** What it is read for; undefined where somebody waits for it. */
  readonly background: BackgroundWork | undefined
  hours: HourRange
  /** 0 until it is read. */
  nodeHours: number
  /** Milliseconds since 1970. */
  wholeUntil: number
}

const forever = Number.POSITIVE_INFINITY

const together = (a: HourRange | undefined, b: HourRange): HourRange =>
  a === undefined ? b : { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) }
