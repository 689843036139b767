import { describe, expect, test } from 'vitest'
import { NotStorable } from '../port.ts'
import type { PriceChanges, PublishedCatalogue } from '../port-prices.ts'
import type { ContractContext } from './contract-context.case.ts'
import { oddNames, unstorableTexts } from './examples.case.ts'

const catalogue = (id: string, bytes = Uint8Array.of(0, 1, 255, 128)): PublishedCatalogue => ({
  id,
  publishedAt: 1_700_000_000_000,
  bytes,
})

const moved = (instanceType: string, more: Partial<PriceChanges> = {}): PriceChanges => ({
  provider: 'cloud',
  instanceType,
  usageType: 'ONDEMAND',
  at: 1_700_000_000_000,
  packed: Uint8Array.of(7, 0, 200),
  ...more,
})

const always = { from: 0, until: Number.MAX_SAFE_INTEGER }

export function pricesContract({ fresh, freshStore, twoNodes }: ContractContext): void {
  describe('prices', () => {
    test('every node reads the published catalogue, to the last byte', async () => {
      const [one, two] = await twoNodes()
      expect(await one.prices.latest()).toBeUndefined()
      expect(await one.prices.latestId()).toBeUndefined()
      const large = catalogue(
        'large',
        Uint8Array.from({ length: 3_000_000 }, (_, i) => (i * i) % 251),
      )
      expect(await one.prices.publish(large, null, [])).toBe(true)
      expect(await two.prices.latest()).toEqual(large)
      expect(await two.prices.latestId()).toBe('large')
      expect(await two.changes.versions()).toEqual(new Map([['catalogue', 1]]))
    })

    test('only a catalogue built on the latest one is published', async () => {
      const store = await freshStore()
      expect(await store.prices.publish(catalogue('a'), 'ghost', [moved('x')])).toBe(false)
      expect(await store.prices.publish(catalogue('a'), null, [])).toBe(true)
      expect(await store.prices.publish(catalogue('b'), null, [moved('x')])).toBe(false)
      expect(await store.prices.publish(catalogue('b'), 'a', [])).toBe(true)
      expect(await store.prices.publish(catalogue('a'), 'b', [])).toBe(true)
      expect(await store.prices.latestId()).toBe('a')
      expect(await store.prices.history({ provider: 'cloud', instanceType: 'x', ...always })).toEqual([])
      expect((await store.changes.versions()).get('catalogue')).toBe(3)
    })

    test('of several nodes that publish concurrently, one succeeds', async () => {
      const database = await fresh()
      const nodes = await Promise.all(Array.from({ length: 4 }, () => database.open()))
      const won = await Promise.all(
        nodes.map((node, n) => node.prices.publish(catalogue(`c${n}`), null, [moved(`t${n}`)])),
      )
      expect(won.filter(Boolean)).toHaveLength(1)
      expect(await nodes[0]!.prices.latestId()).toBe(`c${won.indexOf(true)}`)
    })

    test('the history of a type is returned oldest first, within a period', async () => {
      const store = await freshStore()
      const times = [30, 10, 20]
      let id: string | null = null
      for (const at of times) {
        const next: string = `c${at}`
        await store.prices.publish(catalogue(next), id, [
          moved('a', { at }),
          moved('a', { at, usageType: 'SPOT_PREEMPTIBLE', packed: new Uint8Array() }),
          moved('b', { at }),
          moved('a', { at, provider: 'other' }),
        ])
        id = next
      }
      const found = await store.prices.history({ provider: 'cloud', instanceType: 'a', from: 10, until: 30 })
      expect(found).toEqual([
        moved('a', { at: 10 }),
        moved('a', { at: 10, usageType: 'SPOT_PREEMPTIBLE', packed: new Uint8Array() }),
        moved('a', { at: 20 }),
        moved('a', { at: 20, usageType: 'SPOT_PREEMPTIBLE', packed: new Uint8Array() }),
      ])
      expect(await store.prices.prune('SPOT_PREEMPTIBLE', 20)).toBe(1)
      expect(await store.prices.prune('ONDEMAND', 11)).toBe(3)
      expect(await store.prices.prune('ONDEMAND', 11)).toBe(0)
      const left = await store.prices.history({ provider: 'cloud', instanceType: 'a', ...always })
      expect(left.map(({ at, usageType }) => `${at} ${usageType}`)).toEqual([
        '20 ONDEMAND',
        '20 SPOT_PREEMPTIBLE',
        '30 ONDEMAND',
        '30 SPOT_PREEMPTIBLE',
      ])
    })

    test('unusual names, many records, and the last of equal records', async () => {
      const store = await freshStore()
      const names = [...oddNames, ...Array.from({ length: 1_200 }, (_, n) => `t${n}`)]
      const changes = names.map((name) => moved(name, { provider: name }))
      const last = moved('t5', { provider: 't5', packed: Uint8Array.of(1) })
      await store.prices.publish(catalogue('a'), null, [...changes, last])
      for (const name of [...oddNames, 't0', 't1199'])
        expect(await store.prices.history({ provider: name, instanceType: name, ...always })).toEqual([
          moved(name, { provider: name }),
        ])
      expect(await store.prices.history({ provider: 't5', instanceType: 't5', ...always })).toEqual([last])
    })

    test('values that no database can store are refused, and nothing is written', async () => {
      const store = await freshStore()
      for (const text of unstorableTexts) {
        await expect(store.prices.publish(catalogue('a'), null, [moved('x'), moved(text)])).rejects.toThrow(
          NotStorable,
        )
        expect(await store.prices.history({ provider: text, instanceType: text, ...always })).toEqual([])
      }
      expect(await store.prices.latest()).toBeUndefined()
      expect(await store.prices.history({ provider: 'cloud', instanceType: 'x', ...always })).toEqual([])
    })
  })
}
