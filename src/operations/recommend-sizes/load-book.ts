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

/**
 * A namespace's part of a node's price depends on all that ran on the node. Reading all of it for every question would cost
 * more than the question, so it is kept for a while: some bytes per node and hour.
 */
export class LoadBook {
  readonly #store: { readonly usage: Pick<UsageStore, 'digests'> }
  readonly #now: Clock
  readonly #pages = new Map<string, Promise<Page>>()

  constructor(store: { readonly usage: Pick<UsageStore, 'digests'> }, now: Clock) {
    this.#store = store
    this.#now = now
  }

  async of(organisation: string, cluster: string, hours: Hours): Promise<ClusterLoads> {
    const key = `${organisation}\0${cluster}\0${hours.from}\0${hours.to}`
    const before = this.#pages.get(key)
    this.#pages.delete(key)
    const page = this.#next(before, organisation, cluster, hours)
    this.#pages.set(key, page)
    if (this.#pages.size > mostKept) this.#pages.delete(this.#pages.keys().next().value!)
    page.catch(() => this.#pages.get(key) === page && this.#pages.delete(key))
    return page
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
    const loads = known?.loads ?? new NodeLoads()
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
    loads.clear(hours.from, hours.to)
    for (const { node, hour, load } of fresh.entries()) loads.add(node, hour, load.cores, load.gib)
    const now = this.#now()
    return {
      loads,
      endAt,
      settledBefore: Math.max(settledBefore, hours.from),
      goodUntil: now + Math.min(mostBelievedMs, (performance.now() - started) * believedPerWork),
      wholeUntil: known?.wholeUntil ?? now + believedMs,
    }
  }
}

interface Page extends ClusterLoads {
  readonly settledBefore: number
  /** Milliseconds since 1970. */
  readonly goodUntil: number
  readonly wholeUntil: number
}
