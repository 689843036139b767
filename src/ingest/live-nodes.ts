import { hash } from 'node:crypto'
import type { Leases } from '../store/port.ts'
import { shardCount, unsplit } from '../usage/shard.ts'

/**
 * Knows which nodes are alive, and which shards this node is to digest. Each node renews the lease of a numbered place. A
 * node that restarts takes the place that it left, and with it the same shards.
 */
export class LiveNodes {
  readonly #leases: Leases
  readonly #holder: string
  #place: string | undefined
  #owners: ReadonlyMap<number, string> = new Map()
  #nodes: readonly string[] = []

  constructor(leases: Leases, holder: string) {
    this.#leases = leases
    this.#holder = holder
  }

  /** Returns the number of nodes that are alive. A node that died counts until its lease expires. */
  static async count(leases: Pick<Leases, 'held'>): Promise<number> {
    return (await leases.held(prefix)).length
  }

  /** Must be called more often than leases expire. It also renews these leases, and returns those that are lost. */
  async beat(names: readonly string[]): Promise<Set<string>> {
    const place = this.#place ?? (await this.#claim())
    const renewed = new Set(await this.#leases.acquireAll([place, ...names], this.#holder, nodeLeaseMs))
    this.#place = renewed.has(place) ? place : undefined
    const nodes = await this.#leases.held(prefix)
    if (nodes.join() !== this.#nodes.join()) this.#owners = assignShards(nodes, shardCount)
    this.#nodes = nodes
    return new Set(names.filter((name) => !renewed.has(name)))
  }

  owns(shard: number): boolean {
    return this.#place !== undefined && this.#owners.get(shard === unsplit ? 1 : shard) === this.#place
  }

  /** Number of nodes that were alive at the last beat. */
  get count(): number {
    return Math.max(1, this.#nodes.length)
  }

  async leave(): Promise<void> {
    const place = this.#place
    this.#place = undefined
    if (place !== undefined) await this.#leases.release(place, this.#holder)
  }

  async #claim(): Promise<string> {
    for (let number = 0; number < maxNodes; number++) {
      const place = `${prefix}${String(number).padStart(2, '0')}`
      if (await this.#leases.acquire(place, this.#holder, nodeLeaseMs)) return place
    }
    throw new Error(`there are more than ${maxNodes} nodes`)
  }
}

/** With shards it is a short time, because other nodes wait for the leases of a node that died. */
export const leaseMsOf = ({ isSharded = false }: { readonly isSharded?: boolean | undefined }): number =>
  isSharded ? nodeLeaseMs : 20_000

const prefix = 'usage-node/'
const maxNodes = 64
/** The leases of a node that died are free for others after this time. */
export const nodeLeaseMs = 5000

/**
 * Decides which node digests which shard. Every node gets the same number of shards, give or take one, and as few as
 * possible move when a node joins or leaves. The same nodes give the same result everywhere. Each shard goes to the node
 * that has the highest weight for it and does not have its full number yet.
 */
export function assignShards(nodes: readonly string[], shards: number): Map<number, string> {
  const most = Math.ceil(shards / nodes.length)
  const counts = new Map(nodes.map((node) => [node, 0]))
  const owners = new Map<number, string>()
  for (let shard = 1; shard <= shards && nodes.length > 0; shard++) {
    const free = nodes.filter((node) => counts.get(node)! < most)
    // The remaining shards must suffice for the least number that every node should have.
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
