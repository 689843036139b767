import { expect, test } from 'vitest'
import { assignShards } from './live-nodes.ts'

const nodes = (count: number) => Array.from({ length: count }, (_, n) => `usage-node/${n}`)

test('every shard has a node, and nodes differ by at most one shard', () => {
  for (const shards of [1, 16, 64])
    for (let count = 1; count <= 20; count++) {
      const owners = assignShards(nodes(count), shards)
      expect([...owners.keys()]).toEqual(Array.from({ length: shards }, (_, n) => n + 1))
      const counts = nodes(count).map((node) => [...owners.values()].filter((owner) => owner === node).length)
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
    }
  expect(assignShards([], 16).size).toBe(0)
})

test('when a node leaves, most shards of the others stay', () => {
  for (let count = 2; count <= 10; count++) {
    const before = assignShards(nodes(count), 64)
    const after = assignShards(nodes(count).slice(1), 64)
    const moved = [...after].filter(
      ([shard, owner]) => before.get(shard) !== 'usage-node/0' && before.get(shard) !== owner,
    )
    expect(moved.length).toBeLessThanOrEqual(32)
  }
})
