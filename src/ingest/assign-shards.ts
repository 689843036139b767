import { hash } from 'node:crypto'

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
