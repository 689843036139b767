import type { Leases } from '../store/port.ts'
import { shardCount, unsplit } from '../usage/shard.ts'
import { assignShards } from './assign-shards.ts'

/**
 * The nodes that are alive, each by the lease of a place that it renews, and the shards that this one is to digest. A node that
 * starts again takes the place that it left, and with it the same shards.
 */
export class LiveNodes {
  readonly #leases: Leases
  readonly #holder: string
  #place: string | undefined
  #owners: ReadonlyMap<number, string> = new Map()

  constructor(leases: Leases, holder: string) {
    this.#leases = leases
    this.#holder = holder
  }

  /** To be called more often than leases run out; renews these leases too, and returns those that are lost. */
  async beat(names: readonly string[]): Promise<Set<string>> {
    const place = this.#place ?? (await this.#claim())
    const renewed = new Set(await this.#leases.acquireAll([place, ...names], this.#holder, nodeLeaseMs))
    this.#place = renewed.has(place) ? place : undefined
    this.#owners = assignShards(await this.#leases.held(prefix), shardCount)
    return new Set(names.filter((name) => !renewed.has(name)))
  }

  owns(shard: number): boolean {
    return this.#place !== undefined && this.#owners.get(shard === unsplit ? 1 : shard) === this.#place
  }

  async leave(): Promise<void> {
    const place = this.#place
    this.#place = undefined
    if (place !== undefined) await this.#leases.release(place, this.#holder)
  }

  async #claim(): Promise<string> {
    for (let number = 0; number < mostNodes; number++) {
      const place = `${prefix}${String(number).padStart(2, '0')}`
      if (await this.#leases.acquire(place, this.#holder, nodeLeaseMs)) return place
    }
    throw new Error(`there are more than ${mostNodes} nodes`)
  }
}

/** How long leases last: where other nodes wait for those of one that died, a short time. */
export const leaseMsOf = ({ isSharded = false }: { readonly isSharded?: boolean | undefined }): number =>
  isSharded ? nodeLeaseMs : 20_000

const prefix = 'usage-node/'
const mostNodes = 64
/** What a node that died held is free for others after this time. */
const nodeLeaseMs = 6000
