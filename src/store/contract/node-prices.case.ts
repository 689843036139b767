import { describe, expect, test } from 'vitest'
import { NotStorable } from '../port.ts'
import type { NodePricesQuery, StoredNodePrice } from '../port-node-prices.ts'
import type { ContractContext } from './contract-context.case.ts'
import { oddNames, unstorableTexts } from './examples.case.ts'

const priceOf = (name: string, day: number, json: string, cluster = 'one'): StoredNodePrice => ({
  ...({ kind: 'node', cluster, name } as const),
  day,
  json,
})
const machine = { kind: 'machine', cluster: '', name: 'db-1', day: 0, json: '9' } as const

export function nodePricesContract({ freshStore, twoNodes }: ContractContext): void {
  describe('prices of nodes', () => {
    test('the price in force on the first day and all later ones are found, on every node', async () => {
      const [one, other] = await twoNodes()
      await one.nodePrices.write('acme', [
        priceOf('a', 30, '3'),
        priceOf('a', 0, '1'),
        priceOf('a', 20, '2'),
        priceOf('b', 25, '4', 'two'),
        machine,
      ])
      await one.nodePrices.write('other', [priceOf('a', 0, '9')])
      const found = async (query: NodePricesQuery) =>
        (await other.nodePrices.read('acme', query)).map(({ name, json }) => name + json)
      expect(await found({ kind: 'node', from: 20, to: 31 })).toEqual(['a2', 'b4', 'a3'])
      expect(await found({ kind: 'node', cluster: 'one', from: 19, to: 30 })).toEqual(['a1', 'a2'])
      expect(await found({ cluster: 'two', from: 0, to: 25 })).toEqual([])
      expect(await found({ kind: 'machine', from: 50, to: 51 })).toEqual(['db-19'])
      expect(await found({ cluster: 'a\0b', from: 50, to: 51 })).toEqual([])
    })

    test('a stored price stays, until its day is replaced or its node is removed', async () => {
      const { nodePrices } = await freshStore()
      const all = async () =>
        (await nodePrices.read('acme', { from: 0, to: 99 })).map(({ name, day, json }) => [name, day, json])
      await nodePrices.write('acme', [priceOf('a', 0, '1'), priceOf('a', 9, '2'), priceOf('b', 0, '1')])
      await nodePrices.write('acme', [priceOf('a', 9, '3')])
      expect(await all()).toContainEqual(['a', 9, '2'])
      await nodePrices.replace('acme', { from: 5, to: 10 }, [priceOf('a', 5, '4'), priceOf('b', 0, '4')])
      expect((await all()).sort()).toEqual([
        ['a', 0, '1'],
        ['a', 5, '4'],
        ['b', 0, '1'],
      ])
      await nodePrices.remove('acme', [priceOf('a', 0, ''), priceOf('b', 0, '', 'two')])
      expect(await all()).toEqual([['b', 0, '1']])
    })

    test('any name can be stored, and values that no database can store are refused', async () => {
      const { nodePrices } = await freshStore()
      const prices = oddNames.map((name) => priceOf(name, 0, '1', name))
      await nodePrices.write('acme', prices)
      for (const price of prices)
        expect(await nodePrices.read('acme', { cluster: price.name, from: 0, to: 1 })).toEqual([price])
      for (const text of unstorableTexts)
        await expect(nodePrices.write('acme', [priceOf(text, 0, '1')])).rejects.toThrow(NotStorable)
    })
  })
}
