import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IntMap } from './int-map.ts'

test('equals a Map', () => {
  const key = fc.oneof(fc.nat(2000), fc.nat(2 ** 31 - 1))
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.nat()), { maxLength: 1500, size: 'max' }), (pairs) => {
      const table = new IntMap()
      const map = new Map<number, number>()
      for (const [at, value] of pairs) {
        expect(table.find(at)).toBe(map.get(at) ?? -1)
        if (map.has(at)) continue
        table.add(at, value)
        map.set(at, value)
      }
      for (const [at, value] of map) expect(table.find(at)).toBe(value)
      table.clear()
      for (const at of map.keys()) expect(table.find(at)).toBe(-1)
    }),
    { numRuns: 50 },
  )
})
