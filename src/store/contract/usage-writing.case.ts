import { describe, expect, test } from 'vitest'
import { type Checkpoint, Superseded } from '../../usage/port.ts'
import { NotStorable, type Store } from '../port.ts'
import type { ContractContext } from './contract-context.case.ts'
import { unstorableTexts } from './examples.case.ts'
import {
  checkpoint,
  compactDay,
  container,
  day,
  digest,
  entity,
  entry,
  hour,
  push,
  read,
  row,
} from './usage-examples.case.ts'

const versionBeforeShards = 6

export function usageWritingContract({ fresh, freshStore, twoNodes }: ContractContext): void {
  describe('usage: the journal', () => {
    test('every node reads appended entries unchanged and in order', async () => {
      const [one, two] = await twoNodes()
      const sent = [
        entry([1, 0, 255]),
        entry([2], { format: 'remote-write-2', cluster: '' }),
        entry([9], { partition: { organisation: 'other', source: 'push' } }),
        entry([3], { partition: { ...push, source: 'collect/one' } }),
      ]
      await one.usage.append(sent)
      await two.usage.append([entry([4])])
      const found = await two.usage.journal(push, 0, 1e9)
      expect(found.map(({ sequence: _, ...rest }) => rest)).toEqual([sent[0], sent[1], entry([4])])
      const sequences = found.map(({ sequence }) => sequence)
      expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
      expect((await one.usage.journal(push, sequences[1]!, 1e9)).map(({ sequence }) => sequence)).toEqual(
        sequences.slice(2),
      )
      expect(await one.usage.journal({ ...push, source: 'ghost' }, 0, 1e9)).toEqual([])
      expect(await two.usage.pending()).toHaveLength(3)
      expect(await one.usage.partitions()).toEqual([
        { ...push, source: 'collect/one', resume: '', pending: true },
        { ...push, resume: '', pending: true },
        { organisation: 'other', source: 'push', resume: '', pending: true },
      ])
    })

    test('an append returns the numbers of its entries, and known entries are read without their bodies', async () => {
      const { usage } = await freshStore()
      const other = { organisation: 'other', source: 'push' }
      const sent = [entry([1]), entry([2, 2], { partition: other }), entry([3, 3, 3])]
      const numbers = [...(await usage.append(sent)), ...(await usage.append([entry([4])]))]
      const found = await usage.journal(push, 0, 1e9, [numbers[2]!, numbers[1]!, 1e6])
      expect(found.map(({ sequence }) => sequence)).toEqual([numbers[0], numbers[2], numbers[3]])
      expect(found.map(({ body }) => [...body])).toEqual([[1], [], [4]])
      expect((await usage.journal(other, 0, 1e9)).map(({ sequence }) => sequence)).toEqual([numbers[1]])
      // Skipped entries count towards the size of the page as well.
      expect(await usage.journal(push, 0, 3, [numbers[0]!, numbers[2]!])).toHaveLength(1)
    })

    test('a page has about the requested bytes, and at least one entry', async () => {
      const { usage } = await freshStore()
      await usage.append(Array.from({ length: 10 }, (_, n) => entry(Array<number>(100).fill(n))))
      const first = (await usage.journal(push, 0, 250)).map(({ body }) => body[0])
      expect(first).toEqual([0, 1])
      expect(await usage.journal(push, 0, 1)).toHaveLength(1)
    })

    test('concurrent appends lose nothing, and numbers become visible in order', async () => {
      const database = await fresh()
      const nodes = await Promise.all(Array.from({ length: 4 }, () => database.open()))
      const seen = new Set<number>()
      let last = 0
      let writing = true
      const reader = (async () => {
        for (let ended = false; !ended; ) {
          ended = !writing
          const found = await nodes[0]!.usage.journal(push, last, 1e9)
          for (const { sequence, body } of found) {
            seen.add(body[0]! * 1000 + body[1]!)
            last = sequence
          }
        }
      })()
      await Promise.all(
        nodes.map(async (node, n) => {
          for (let i = 0; i < 20; i++) await node.usage.append([entry([n, 2 * i]), entry([n, 2 * i + 1])])
        }),
      )
      writing = false
      await reader
      expect(seen.size).toBe(160)
    })

    test('a large body', async () => {
      const { usage } = await freshStore()
      const body = Uint8Array.from({ length: 5_000_000 }, (_, n) => (n * n) % 251)
      await usage.append([entry([], { body })])
      expect((await usage.journal(push, 0, 1))[0]!.body).toEqual(body)
    })

    test('values that no database can store are refused, and nothing is written', async () => {
      const { usage } = await freshStore()
      for (const text of unstorableTexts) {
        await expect(usage.append([entry([1]), entry([2], { cluster: text })])).rejects.toThrow(NotStorable)
        const partition = { organisation: text, source: 'push' }
        await expect(usage.append([entry([1]), entry([2], { partition })])).rejects.toThrow(NotStorable)
      }
      expect(await usage.journal(push, 0, 1e9)).toEqual([])
    })
  })

  describe('usage: commits', () => {
    test('a commit is atomic, and the next opener reads it', async () => {
      const database = await fresh()
      const store = await database.open()
      await store.usage.append([entry([1]), entry([2]), entry([3])])
      const opened = await store.usage.open(push)
      expect(opened).toEqual({ epoch: expect.any(Number), resume: '', subjects: [], entities: [] })
      const [first, second] = await store.usage.journal(push, 0, 1e9)
      await store.usage.commit(
        push,
        opened.epoch,
        checkpoint({
          subjects: [row(container('a'), [digest(hour, 1, 7)], [5, 0]), row(container('b'), [])],
          entities: [entity('n1')],
          consumed: [first!.sequence, second!.sequence],
          resume: 'here',
        }),
      )
      const other = await database.open()
      const next = await other.usage.open(push)
      expect(next.epoch).toBeGreaterThan(opened.epoch)
      expect(next.resume).toBe('here')
      expect(next.subjects.toSorted((a, b) => (a.key < b.key ? -1 : 1))).toEqual([
        { key: container('a'), state: Uint8Array.of(5, 0) },
        { key: container('b'), state: Uint8Array.of(1) },
      ])
      expect(next.entities).toEqual([entity('n1')])
      expect((await other.usage.journal(push, 0, 1e9)).map(({ body }) => [...body])).toEqual([[3]])
      expect(await read(other)).toEqual(['one/shop/a push:7'])
    })

    test.each(['open', 'fence'] as const)('%s by another refuses earlier openers', async (how) => {
      const [one, two] = await twoNodes()
      await one.usage.append([entry([1])])
      const { epoch } = await one.usage.open(push)
      const { sequence } = (await one.usage.journal(push, 0, 1e9))[0]!
      await two.usage[how](push)
      const late = checkpoint({
        subjects: [row(container('a'), [digest(hour, 1, 7)])],
        consumed: [sequence],
        resume: 'late',
      })
      await expect(one.usage.commit(push, epoch, late)).rejects.toThrow(Superseded)
      await expect(one.usage.compact(push, epoch, [compactDay('a', day, 1)])).rejects.toThrow(Superseded)
      expect(await read(two)).toEqual([])
      expect(await two.usage.journal(push, 0, 1e9)).toHaveLength(1)
      expect((await two.usage.open(push)).resume).toBe('')
    })

    test('a commit that fails on one row writes nothing', async () => {
      const { usage, ...store } = await freshStore()
      const { epoch } = await usage.open(push)
      const subjects = [
        row(container('a'), [digest(hour, 1, 7)]),
        row(container('x'.repeat(4000)), [digest(hour, 1, 7)]),
      ]
      await expect(usage.commit(push, epoch, checkpoint({ subjects, resume: 'x' }))).rejects.toThrow(
        NotStorable,
      )
      expect(await read({ usage, ...store } as Store)).toEqual([])
      expect((await usage.open(push)).resume).toBe('')
    })

    test('the same part is replaced, another part is added; states are replaced and deleted', async () => {
      const store = await freshStore()
      const { epoch } = await store.usage.open(push)
      const commit = (more: Partial<Checkpoint>) => store.usage.commit(push, epoch, checkpoint(more))
      await commit({ subjects: [row(container('a'), [digest(hour, 1, 1), digest(hour + 1, 2, 2)])] })
      await commit({ subjects: [row(container('a'), [digest(hour, 1, 9), digest(hour, 3, 3)], [8])] })
      expect(await read(store)).toEqual(['one/shop/a push:9 push:3 push:2'])
      const again = await store.usage.open(push)
      expect(again.subjects).toEqual([{ key: container('a'), state: Uint8Array.of(8) }])
      await store.usage.commit(
        push,
        again.epoch,
        checkpoint({ subjects: [row(container('a'), [digest(hour, 1, 4)])] }),
      )
      expect(await read(store)).toEqual(['one/shop/a push:9 push:3 push:4 push:2'])
      await store.usage.commit(push, again.epoch, checkpoint({ forgotten: [container('a'), 'c\0ghost'] }))
      expect((await store.usage.open(push)).subjects).toEqual([])
      expect(await read(store)).toHaveLength(1)
    })

    test('two partitions commit the same subjects concurrently', async () => {
      const database = await fresh()
      const stores = [await database.open(), await database.open()]
      const sources = ['push', 'collect/one']
      const keys = Array.from({ length: 1300 }, (_, n) => container(`p${n}`))
      await Promise.all(
        stores.map(async ({ usage }, n) => {
          const partition = { ...push, source: sources[n]! }
          const { epoch } = await usage.open(partition)
          const ordered = n === 0 ? keys : keys.toReversed()
          const subjects = ordered.map((key) => row(key, [digest(hour, 1, n)]))
          const entities = Array.from({ length: 700 }, (_, i) => entity(`n${i}`))
          for (let round = 0; round < 3; round++)
            await usage.commit(partition, epoch, checkpoint({ subjects, entities }))
        }),
      )
      const found = await read(stores[0]!)
      expect(found).toHaveLength(1300)
      expect(new Set(found.map((line) => line.replace(/p\d+/, 'p').split(' ').toSorted().join(' ')))).toEqual(
        new Set(['collect/one:1 one/shop/p push:0']),
      )
      expect(found.map((line) => line.split(' ')[0])).toEqual(
        keys.map((key) => key.split('\0').slice(1, 4).join('/')).toSorted(),
      )
      expect(await stores[1]!.usage.entities('acme', {})).toHaveLength(1400)
    })
  })

  describe('usage: shards', () => {
    const shard = (number: number) => ({ ...push, shard: number })

    test('are opened, written and fenced off one by one, and read together', async () => {
      const database = await fresh()
      const store = await database.open()
      await store.usage.append([entry([1], { partition: shard(1) }), entry([2], { partition: shard(2) })])
      const bodies = async (number: number) =>
        (await store.usage.journal(shard(number), 0, 1e9)).map(({ body }) => [...body])
      expect([await bodies(0), await bodies(1), await bodies(2)]).toEqual([[], [[1]], [[2]]])
      const [one, two] = [await store.usage.open(shard(1)), await store.usage.open(shard(2))]
      await store.usage.fence(shard(2))
      const write = (number: number, epoch: number, ...keys: string[]) =>
        store.usage.commit(
          shard(number),
          epoch,
          checkpoint({
            subjects: keys.map((key) => row(key, [digest(hour + number, 1, number)])),
            entities: [entity(`n${number}`)],
            subjectCount: 2 + number,
          }),
        )
      await expect(write(2, two.epoch, container('b'))).rejects.toThrow(Superseded)
      await write(1, one.epoch, container('a'), container('both'))
      const again = await store.usage.open(shard(2))
      await write(2, again.epoch, container('b'), container('both'))
      expect((await store.usage.open(shard(1))).subjects.map(({ key }) => key).toSorted()).toEqual([
        container('a'),
        container('both'),
      ])
      expect(await read(store)).toEqual([
        'one/shop/a push:1',
        'one/shop/b push:2',
        'one/shop/both push:1 push:2',
      ])
      expect(await read(store, { keys: [container('both')] })).toEqual(['one/shop/both push:1 push:2'])
      expect(await store.usage.entities('acme', {})).toHaveLength(2)
      expect((await store.usage.partitions()).map((partition) => partition.shard)).toEqual([1, 2])
      const counts = await store.usage.subjectCounts()
      expect(counts.map(({ partition }) => partition)).toEqual([shard(1), shard(2)])
      expect(counts.reduce((sum, { subjects }) => sum + subjects, 0)).toBe(7)
    })

    test('data of a database without shards is in shard 0', async () => {
      const database = await fresh()
      await database.migrateTo(versionBeforeShards)
      for (const sql of [
        `INSERT INTO organisations (id, created_at) VALUES ('acme', 0)`,
        `INSERT INTO usage_partitions (organisation, source, epoch, resume) VALUES ('acme', 'push', 7, 'here')`,
        `INSERT INTO usage_journal (partition, received_at, format, cluster, body)
           SELECT id, 5, 'remote-write-1', 'c', CAST('' AS ${database.bytesType}) FROM usage_partitions`,
      ])
        await database.execute(sql)
      const { usage } = await database.open()
      expect(await usage.pending()).toEqual([push])
      expect(await usage.partitions()).toContainEqual({ ...push, resume: 'here', pending: true })
      expect(await usage.journal(push, 0, 1e9)).toHaveLength(1)
      expect((await usage.open(push)).epoch).toBe(8)
      await usage.append([entry([1])])
      expect((await usage.journal(push, 0, 1e9)).map(({ body }) => body.length)).toEqual([0, 1])
    })

    test('entries may replace others', async () => {
      const { usage } = await freshStore()
      await usage.append([entry([1]), entry([2])])
      const [first] = await usage.journal(push, 0, 1e9)
      const parts = [3, 4].map((byte) => entry([byte], { partition: shard(byte) }))
      await usage.append(parts, { partition: push, consumed: [first!.sequence] })
      expect((await usage.journal(push, 0, 1e9)).map(({ body }) => [...body])).toEqual([[2]])
      expect(await usage.pending()).toEqual([push, shard(3), shard(4)])
    })

    test('an invalid shard number is refused', async () => {
      const { usage } = await freshStore()
      for (const number of [-1, 0.5, 1e9])
        await expect(usage.open(shard(number))).rejects.toThrow(NotStorable)
    })
  })
}
