import { hash } from 'node:crypto'
import type { Leases } from '../store/port.ts'
import { shardCount, unsplit } from '../usage/shard.ts'

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

/**
 * Which node digests which shard: as many each, give or take one, and as few as possible move when a node comes or goes. The same
 * nodes give the same answer wherever it is asked. Each shard goes to the node that has the highest weight for it and has not as
 * many as it should.
 */
export function assignShards(nodes: readonly string[], shards: number): Map<number, string> {
  const most = Math.ceil(shards / nodes.length)
  const counts = new Map(nodes.map((node) => [node, 0]))
  const owners = new Map<number, string>()
  for (let shard = 1; shard <= shards && nodes.length > 0; shard++) {
    const free = nodes.filter((node) => counts.get(node)! < most)
    // What is left must suffice for the least that every node should have.
    const lacking = free.filter((node) => counts.get(node)! < Math.floor(shards / nodes.length))
    const need = lacking.reduce((sum, node) => sum + Math.floor(shards / nodes.length) - counts.get(node)!, 0)
    const chosen = heaviest(need > shards - shard ? lacking : free, shard)
    owners.set(shard, chosen)
    counts.set(chosen, counts.get(chosen)! + 1)
  }
  return owners
}

function heaviest(nodes: readonly string[], shard: number): string {
  let best = nodes[0]!
  let bestWeight = ''
  for (const node of nodes) {
    const weight = hash('sha256', `${node}\0${shard}`)
    if (weight > bestWeight) [best, bestWeight] = [node, weight]
  }
  return best
}
