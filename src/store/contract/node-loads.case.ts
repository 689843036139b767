import { describe, expect, test, vi } from 'vitest'
import type { NodeLoadDay } from '../../usage/port.ts'
import { NotStorable, type Store } from '../port.ts'
import type { ContractContext } from './contract-context.case.ts'
import { oddNames, unstorableTexts } from './examples.case.ts'
import { checkpoint, compactDay, container, day, digest, hour, push, row } from './usage-examples.case.ts'

const loadsOf = (of: number, byte: number, readAt = 5): NodeLoadDay => ({
  day: of,
  readAt,
  bytes: Uint8Array.of(byte),
})
const all = { from: 0, to: 1e6 }

export function nodeLoadsContract({ freshStore, twoNodes }: ContractContext): void {
  describe('usage: loads of nodes', () => {
    const kept = async ({ usage }: Store, cluster = 'one', organisation = 'acme') =>
      (await usage.nodeLoads(organisation, cluster, all)).map(({ day: of, bytes }) => [of - day, ...bytes])

    test('stored days are returned in order, by organisation and cluster, on every node', async () => {
      const [one, other] = await twoNodes()
      const clusters = ['one', ...oddNames]
      for (const [index, cluster] of clusters.entries())
        await one.usage.keepNodeLoads('acme', cluster, [loadsOf(day + 1, index), loadsOf(day, index)])
      await one.usage.keepNodeLoads('other', 'one', [loadsOf(day, 9)])
      for (const [index, cluster] of clusters.entries())
        expect(await kept(other, cluster)).toEqual([
          [0, index],
          [1, index],
        ])
      expect(await other.usage.nodeLoads('acme', 'one', { from: day + 1, to: day + 2 })).toEqual([
        loadsOf(day + 1, 0),
      ])
      expect(await other.usage.nodeLoads('acme', 'one', all, 1)).toEqual([loadsOf(day, 0)])
      expect(await other.usage.nodeLoads('acme', 'one', { from: day + 2, to: day + 9 })).toEqual([])
      expect(await kept(other, 'one', 'other')).toEqual([[0, 9]])
      expect(await kept(other, 'nowhere')).toEqual([])
    })

    test('a later read replaces an earlier one', async () => {
      const store = await freshStore()
      await store.usage.keepNodeLoads('acme', 'one', [loadsOf(day, 1, 5)])
      await store.usage.keepNodeLoads('acme', 'one', [loadsOf(day, 2, 4)])
      expect(await kept(store)).toEqual([[0, 1]])
      await store.usage.keepNodeLoads('acme', 'one', [loadsOf(day, 3, 6)])
      expect(await kept(store)).toEqual([[0, 3]])
    })

    test('a day is discarded when it is compacted, unless it was read afterwards', async () => {
      const store = await freshStore()
      const { epoch } = await store.usage.open(push)
      const before = Date.now() - 60_000
      for (const cluster of ['one', 'two'])
        await store.usage.keepNodeLoads('acme', cluster, [
          loadsOf(day, 1, before),
          loadsOf(day + 1, 1, before),
        ])
      const days = ['a', 'b'].map((pod) => compactDay(pod, day, 1))
      const elsewhere = { ...compactDay('c', day + 1, 1), key: container('c', 'shop', 'three') }
      await store.usage.compact(push, epoch, [...days, elsewhere])
      expect(await kept(store)).toEqual([[1, 1]])
      expect(await kept(store, 'two')).toEqual([
        [0, 1],
        [1, 1],
      ])
      for (const cluster of ['one', 'three'])
        await store.usage.keepNodeLoads(
          'acme',
          cluster,
          [0, 1].map((n) => loadsOf(day + n, 2, before)),
        )
      expect(await kept(store)).toEqual([[1, 1]])
      expect(await kept(store, 'three')).toEqual([[0, 2]])
      await store.usage.keepNodeLoads('acme', 'one', [loadsOf(day, 3, Date.now() + 60_000)])
      expect(await kept(store)).toEqual([
        [0, 3],
        [1, 1],
      ])
    })

    test('a day is discarded when late usage of it is committed', async () => {
      const store = await freshStore()
      const { epoch } = await store.usage.open(push)
      const before = Date.now() - 60_000
      const today = Math.floor(Date.now() / 86_400_000)
      const days = [today - 40, today - 3, today - 2, today - 1, today]
      await store.usage.keepNodeLoads(
        'acme',
        'one',
        days.map((of) => loadsOf(of, 1, before)),
      )
      const changed = () => store.usage.nodeLoadsChangedAt('acme', 'one', all)
      expect(await changed()).toBe(before)
      const digests = [today - 40, today - 3, today - 1, today].map((of) => digest(of * 24 + 5, 0, 1))
      await store.usage.commit(push, epoch, checkpoint({ subjects: [row(container('a'), digests)] }))
      const left = (await store.usage.nodeLoads('acme', 'one', all)).map(({ day: of }) => of - today)
      expect(left).toEqual([-2, -1, 0])
      expect(await changed()).toBeGreaterThan(before)
      expect(await store.usage.nodeLoadsChangedAt('acme', 'one', { from: today - 2, to: today })).toBe(before)
      expect(await store.usage.nodeLoadsChangedAt('acme', 'two', all)).toBe(0)
    })

    test('the time of the last late commit is known by organisation', async () => {
      const store = await freshStore()
      const { epoch } = await store.usage.open(push)
      const today = Math.floor(Date.now() / 86_400_000)
      const commit = (subject: ReturnType<typeof container>, ...days: number[]) =>
        store.usage.commit(
          push,
          epoch,
          checkpoint({
            subjects: [
              row(
                subject,
                days.map((of) => digest(of * 24 + 5, 0, 1)),
              ),
            ],
          }),
        )
      const lateAt = () => store.usage.lateUsageAt('acme')
      expect(await lateAt()).toBe(0)
      await commit(container('a'), today, today - 1)
      expect(await lateAt()).toBe(0)
      await commit(container('a'), today, today - 2)
      const first = await lateAt()
      expect(Math.abs(first - Date.now())).toBeLessThan(600_000)
      expect(await store.usage.lateUsageAt('other')).toBe(0)
      await commit(container('a'), today)
      expect(await lateAt()).toBe(first)
      await vi.waitFor(
        async () => {
          await commit(container('b'), today - 30)
          expect(await lateAt()).toBeGreaterThan(first)
        },
        { timeout: 30_000 },
      )
    })

    test('pruned days of an organisation are deleted', async () => {
      const store = await freshStore()
      for (const organisation of ['acme', 'other'])
        await store.usage.keepNodeLoads(organisation, 'one', [loadsOf(day, 1), loadsOf(day + 1, 1)])
      await store.usage.prune('acme', hour + 24, 1000)
      expect(await kept(store)).toEqual([[1, 1]])
      expect(await kept(store, 'one', 'other')).toHaveLength(2)
    })

    test('values that no database can store are refused', async () => {
      const store = await freshStore()
      for (const text of unstorableTexts) {
        await expect(store.usage.keepNodeLoads('acme', text, [loadsOf(day, 1)])).rejects.toThrow(NotStorable)
        expect(await kept(store, text)).toEqual([])
      }
    })
  })
}
