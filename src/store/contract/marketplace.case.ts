import { describe, expect, test } from 'vitest'
import type { MarketplaceEntry } from '../../domain/marketplace.ts'
import { BadCursor, NotStorable, type Store, TooManyEntries } from '../port.ts'
import type { ContractContext } from './contract-context.case.ts'
import { exampleEntry, oddNames, sentEntry, unstorableTexts } from './examples.case.ts'

export function marketplaceContract({ freshStore, twoNodes }: ContractContext): void {
  describe('marketplace', () => {
    test('the same natural key replaces size, price and raw data; the last of a call wins', async () => {
      const store = await freshStore()
      const changed = exampleEntry('a', {
        pricePerHourUsd: 0.2,
        vcpus: 8,
        ramGib: 0.5,
        rawJson: '{"a":"\\u0000"}',
      })
      await store.marketplace.register('acme', [exampleEntry('a'), exampleEntry('b')])
      await store.marketplace.register('acme', [exampleEntry('a', { vcpus: 1 }), exampleEntry('c'), changed])
      expect(await allOf(store, 'acme')).toEqual([changed, exampleEntry('b'), exampleEntry('c')])
      expect(await store.changes.versions()).toEqual(new Map([['marketplace/acme', 2]]))
    })

    test('every part of the natural key distinguishes entries', async () => {
      const store = await freshStore()
      const variants = [
        exampleEntry('a'),
        exampleEntry('b'),
        exampleEntry('a', { provider: 'p' }),
        exampleEntry('a', { service: 's' }),
        exampleEntry('a', { region: 'r' }),
        exampleEntry('a', { zone: 'z' }),
        exampleEntry('a', { operatingSystem: 'Windows' }),
        exampleEntry('a', { usageType: 'RESERVED' }),
      ]
      await store.marketplace.register('acme', variants)
      expect(new Set(await allOf(store, 'acme'))).toEqual(new Set(variants))
    })

    test('numbers are restored to the last bit', async () => {
      const store = await freshStore()
      const numbers = [0, 0.1, 1 / 3, 5e-324, Number.MAX_VALUE, 2 ** 53 + 2, 0.073981]
      await store.marketplace.register(
        'acme',
        numbers.map((pricePerHourUsd, n) => exampleEntry(`t${n}`, { pricePerHourUsd })),
      )
      expect((await allOf(store, 'acme')).map((entry) => entry.pricePerHourUsd)).toEqual(numbers)
    })

    test('organisations are isolated', async () => {
      const store = await freshStore()
      await store.marketplace.register('acme', [exampleEntry('a')])
      await store.marketplace.register('other', [exampleEntry('a', { vcpus: 9 }), exampleEntry('b')])
      expect(await allOf(store, 'acme')).toEqual([exampleEntry('a')])
      expect(await store.marketplace.providers('acme')).toEqual([
        { provider: 'cellar', service: 'compute', entries: 1 },
      ])
      const { next } = await store.marketplace.page('other', { limit: 1 })
      expect(await store.marketplace.page('acme', { after: next!, limit: 9 })).toEqual({ entries: [] })
      expect(await store.marketplace.remove('other', 'cellar')).toBe(2)
      expect(await allOf(store, 'acme')).toEqual([exampleEntry('a')])
      expect(await store.marketplace.providers('nobody')).toEqual([])
      expect(Object.fromEntries(await store.changes.versions())).toEqual({
        'marketplace/acme': 1,
        'marketplace/other': 2,
      })
    })

    test('unusual names are sorted by bytes, page by page, and can be removed', async () => {
      const store = await freshStore()
      const entries = oddNames.map((name) =>
        exampleEntry(name, { provider: name, service: name, region: name, zone: name, rawJson: name }),
      )
      const sorted = entries.toSorted((a, b) =>
        Buffer.compare(Buffer.from(a.provider), Buffer.from(b.provider)),
      )
      await store.marketplace.register('acme', entries)
      for (const limit of [1, 2, 7, 1_000]) expect(await allOf(store, 'acme', limit)).toEqual(sorted)
      const providers = sorted.map(({ provider }) => ({ provider, service: provider, entries: 1 }))
      expect(await store.marketplace.providers('acme')).toEqual(providers)
      for (const [n, { provider }] of sorted.entries()) {
        const { entries: own } = await store.marketplace.page('acme', { provider, limit: 9 })
        expect(own.map(sentEntry)).toEqual([sorted[n]])
        expect(await store.marketplace.remove('acme', provider)).toBe(1)
      }
      expect(await allOf(store, 'acme')).toEqual([])
    })

    test('a page of one provider ends with that provider', async () => {
      const store = await freshStore()
      const entries = ['a', 'b', 'c'].flatMap((provider) =>
        ['x', 'y'].map((type) => exampleEntry(type, { provider })),
      )
      await store.marketplace.register('acme', entries)
      const first = await store.marketplace.page('acme', { provider: 'b', limit: 1 })
      expect(first.entries.map(sentEntry)).toEqual([entries[2]])
      const second = await store.marketplace.page('acme', { provider: 'b', limit: 1, after: first.next! })
      expect(second.entries.map(sentEntry)).toEqual([entries[3]])
      expect(second.next).toBeUndefined()
    })

    const notCursors = ['', 'x', '!!', 'bnVsbA', Buffer.from('["a"]').toString('base64url'), 'W251bGxd']
    test('an invalid cursor is refused', async () => {
      const store = await freshStore()
      for (const after of notCursors) {
        await expect(store.marketplace.page('acme', { after, limit: 1 })).rejects.toThrow(BadCursor)
      }
    })

    const bad = [
      ...unstorableTexts.map((provider) => exampleEntry('bad', { provider })),
      ...unstorableTexts.map((rawJson) => exampleEntry('bad', { rawJson })),
      exampleEntry('x'.repeat(401)),
      exampleEntry('ü'.repeat(201)),
      ...[Number.NaN, Number.POSITIVE_INFINITY].map((ramGib) => exampleEntry('bad', { ramGib })),
    ]
    test('all or nothing', async () => {
      const store = await freshStore()
      await store.marketplace.register('acme', [exampleEntry('a')])
      const many = Array.from({ length: 1_200 }, (_, n) => exampleEntry(`t${n}`))
      for (const entry of bad) {
        await expect(store.marketplace.register('acme', [...many, entry])).rejects.toThrow(NotStorable)
      }
      expect(await allOf(store, 'acme')).toEqual([exampleEntry('a')])
      expect(await store.marketplace.page('acme', { provider: '\0', limit: 1 })).toEqual({ entries: [] })
      expect(await store.marketplace.remove('acme', '\0')).toBe(0)
      expect(await store.changes.versions()).toEqual(new Map([['marketplace/acme', 1]]))
    })

    test('10,000 entries at once', async () => {
      const store = await freshStore()
      const name = (n: number) => `type-${String(n).padStart(5, '0')}`
      const entries = Array.from({ length: 10_000 }, (_, n) =>
        exampleEntry(name(n), { pricePerHourUsd: n / 7 }),
      )
      await store.marketplace.register('acme', entries.toReversed())
      expect(await allOf(store, 'acme', 1_000)).toEqual(entries)
      expect(await store.marketplace.remove('acme', 'cellar')).toBe(10_000)
    })

    test('the same registration from two nodes at once, in opposite orders', async () => {
      const [one, two] = await twoNodes()
      const entries = Array.from({ length: 500 }, (_, n) => exampleEntry(`t${String(n).padStart(4, '0')}`))
      const rounds = Array.from({ length: 4 }, (_, round) => [
        one.marketplace.register('acme', entries),
        two.marketplace.register('acme', entries.toReversed()),
        two.marketplace.register(`org${round}`, [exampleEntry('a')]),
      ])
      await Promise.all(rounds.flat())
      expect(await allOf(one, 'acme')).toEqual(entries)
      expect((await two.changes.versions()).get('marketplace/acme')).toBe(8)
    })

    test('the limit of entries holds for concurrent nodes, and existing entries may be replaced', async () => {
      const [one, two] = await twoNodes()
      const some = (name: string, price = 1) =>
        Array.from({ length: 40 }, (_, n) => exampleEntry(`${name}-${n}`, { pricePerHourUsd: price }))
      const calls = Array.from({ length: 8 }, (_, n) =>
        (n % 2 === 0 ? one : two).marketplace.register('acme', some(`call${n}`), 100),
      )
      const results = await Promise.allSettled(calls)
      const refused = results.filter((result) => result.status === 'rejected')
      expect(refused).toHaveLength(6)
      for (const { reason } of refused) expect(reason).toBeInstanceOf(TooManyEntries)
      expect(await allOf(two, 'acme')).toHaveLength(80)
      const kept = results.flatMap(({ status }, n) => (status === 'fulfilled' ? [`call${n}`] : []))
      await one.marketplace.register('acme', [...some(kept[0]!, 2), ...some('last').slice(0, 20)], 100)
      await expect(one.marketplace.register('acme', [exampleEntry('one-more')], 100)).rejects.toThrow(
        'would add 1 to 100',
      )
      await two.marketplace.register('acme', some(kept[1]!, 3), 50)
      await two.marketplace.register('globex', some('own'), 100)
      const prices = (await allOf(one, 'acme')).map(({ pricePerHourUsd }) => pricePerHourUsd)
      expect(prices.toSorted()).toEqual([...Array(20).fill(1), ...Array(40).fill(2), ...Array(40).fill(3)])
      expect((await one.changes.versions()).get('marketplace/acme')).toBe(4)
    })

    test('an empty registration changes no topic', async () => {
      const store = await freshStore()
      await store.marketplace.register('acme', [])
      expect(await store.marketplace.remove('acme', 'cellar')).toBe(0)
      expect(await store.changes.versions()).toEqual(new Map())
    })
  })
}

async function allOf(store: Store, organisation: string, limit = 500): Promise<MarketplaceEntry[]> {
  const all: MarketplaceEntry[] = []
  let after: string | undefined
  do {
    const page = await store.marketplace.page(organisation, { limit, ...(after !== undefined && { after }) })
    expect(page.entries.length).toBeLessThanOrEqual(limit)
    all.push(...page.entries.map(sentEntry))
    after = page.next
  } while (after !== undefined)
  return all
}
