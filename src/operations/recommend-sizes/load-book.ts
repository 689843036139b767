import type { Clock } from '../../domain/clock.ts'
import { subjectOfKey } from '../../domain/subject.ts'
import type { UsageStore } from '../../usage/port.ts'
import { Breath } from './breath.ts'
import { lastSeen } from './containers.ts'
import { NodeLoads } from './node-loads.ts'
import type { Hours } from './pod-usage.ts'
import { readUse } from './read-pod.ts'
import { addLoads } from './spend.ts'

/** What counts on the nodes of a cluster, all namespaces together, and when it was last heard of. */
export interface ClusterLoads {
  readonly loads: NodeLoads
  /** Seconds since 1970 of the last sample in these hours; 0 where there is none. */
  readonly endAt: number
}

/** Samples come as late as this; older hours change only when a collection fills in history. */
const settledHours = 49
const believedMs = 3_600_000
/** What took long to read is believed longer: a small cluster is read anew each time, a large one about once a minute. */
const believedPerWork = 20
const mostBelievedMs = 60_000
const mostKept = 64
/** About 128 MB. */
const mostNodeHours = 8_000_000

/**
 * A namespace's part of a node's price depends on all that ran on the node. Reading all of it for every question would cost
 * more than the question, so it is kept for a while: some bytes per node and hour.
 */
export class LoadBook {
  readonly #store: { readonly usage: Pick<UsageStore, 'digests'> }
  readonly #now: Clock
  readonly #mostNodeHours: number
  /** In order of when they were last asked for. */
  readonly #pages = new Map<string, Kept>()
  #nodeHours = 0

  constructor(store: { readonly usage: Pick<UsageStore, 'digests'> }, now: Clock, most = mostNodeHours) {
    this.#store = store
    this.#now = now
    this.#mostNodeHours = most
  }

  async of(organisation: string, cluster: string, hours: Hours): Promise<ClusterLoads> {
    const key = `${organisation}\0${cluster}\0${hours.from}\0${hours.to}`
    const before = this.#pages.get(key)
    if (before !== undefined) this.#drop(key, before)
    const page = this.#next(before?.page, organisation, cluster, hours)
    const kept: Kept = { page, nodeHours: 0, wholeUntil: Number.POSITIVE_INFINITY }
    this.#pages.set(key, kept)
    page.then(
      ({ loads, wholeUntil }) => {
        if (this.#pages.get(key) !== kept) return
        kept.wholeUntil = wholeUntil
        kept.nodeHours = loads.nodeHours
        this.#nodeHours += kept.nodeHours
        this.#makeRoom(kept)
      },
      () => this.#drop(key, kept),
    )
    if (this.#pages.size > mostKept) this.#drop(...this.#pages.entries().next().value!)
    return page
  }

  /** What is past believing goes first, then what was asked for longest ago; what was just read stays, however large. */
  #makeRoom(justRead: Kept): void {
    const now = this.#now()
    for (const [key, kept] of this.#pages) if (kept.wholeUntil <= now) this.#drop(key, kept)
    for (const [key, kept] of this.#pages) {
      if (this.#nodeHours <= this.#mostNodeHours) return
      if (kept !== justRead) this.#drop(key, kept)
    }
  }

  #drop(key: string, kept: Kept): void {
    if (this.#pages.get(key) !== kept) return
    this.#pages.delete(key)
    this.#nodeHours -= kept.nodeHours
  }

  async #next(
    before: Promise<Page> | undefined,
    organisation: string,
    cluster: string,
    hours: Hours,
  ): Promise<Page> {
    const known = await before?.catch(() => undefined)
    const now = this.#now()
    if (known !== undefined && now < known.goodUntil) return known
    const settledBefore = Math.floor(now / 3_600_000) - settledHours
    const whole = known === undefined || now >= known.wholeUntil
    if (!whole && hours.to <= settledBefore) return known
    const from = whole ? hours.from : Math.max(hours.from, known.settledBefore)
    return this.#read(organisation, cluster, { from, to: hours.to }, whole ? undefined : known, settledBefore)
  }

  async #read(
    organisation: string,
    cluster: string,
    hours: Hours,
    known: Page | undefined,
    settledBefore: number,
  ): Promise<Page> {
    const fresh = new NodeLoads()
    let endAt = known?.endAt ?? 0
    const breath = new Breath()
    const started = performance.now()
    const query = { kind: 'container', cluster, fromHour: hours.from, toHour: hours.to } as const
    for await (const { key, rows } of this.#store.usage.digests(organisation, query)) {
      const subject = subjectOfKey(key)
      if (subject.kind !== 'container') continue
      const used = readUse(rows, hours)
      if (used !== undefined) {
        addLoads(fresh, used)
        endAt = Math.max(endAt, lastSeen(used))
      }
      if (breath.due) await breath.take()
    }
    const now = this.#now()
    return {
      loads: known === undefined ? fresh : retold(known.loads, fresh, hours),
      endAt,
      settledBefore: Math.max(settledBefore, hours.from),
      goodUntil: now + Math.min(mostBelievedMs, (performance.now() - started) * believedPerWork),
      wholeUntil: known?.wholeUntil ?? now + believedMs,
    }
  }
}

/** Built aside: earlier requests still work with what they were given. */
function retold(known: NodeLoads, fresh: NodeLoads, { from, to }: Hours): NodeLoads {
  const loads = known.without(from, to)
  loads.addAll(fresh)
  return loads
}

interface Kept {
  readonly page: Promise<Page>
  /** 0 until it is read. */
  nodeHours: number
  /** Milliseconds since 1970. */
  wholeUntil: number
}

interface Page extends ClusterLoads {
  readonly settledBefore: number
  /** Milliseconds since 1970. */
  readonly goodUntil: number
  readonly wholeUntil: number
}
