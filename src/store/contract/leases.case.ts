import { describe, expect, test } from 'vitest'
import type { ContractContext } from './contract-context.case.ts'

const longMs = 3_600_000

export function leasesContract({ fresh, twoNodes }: ContractContext): void {
  describe('leases', () => {
    test('one node at a time; the holder may renew and release it', async () => {
      const [one, two] = await twoNodes()
      const won = await Promise.all(
        [one, two, one, two].map((node, n) => node.leases.acquire('refresh', `node ${n}`, longMs)),
      )
      expect(won.filter(Boolean)).toHaveLength(1)
      const holder = `node ${won.indexOf(true)}`
      expect(await two.leases.acquire('refresh', holder, longMs)).toBe(true)
      expect(await two.leases.acquire('other work', 'x', longMs)).toBe(true)
      await two.leases.release('refresh', 'x')
      expect(await two.leases.acquire('refresh', 'x', longMs)).toBe(false)
      await two.leases.release('refresh', holder)
      expect(await two.leases.acquire('refresh', 'x', longMs)).toBe(true)
    })

    test('several are acquired at once except those of others, and held ones are listed', async () => {
      const database = await fresh()
      const [one, two] = [await database.open(), await database.open()]
      expect(await one.leases.acquireAll(['n/1', 'n/2'], 'a', longMs)).toEqual(['n/1', 'n/2'])
      expect(await two.leases.acquireAll(['n/2', 'n/3', 'o/1'], 'b', longMs)).toEqual(['n/3', 'o/1'])
      expect((await one.leases.acquireAll(['n/1', 'n/2'], 'a', 1)).toSorted()).toEqual(['n/1', 'n/2'])
      await database.execute(`UPDATE leases SET acquired_at = acquired_at - 60000 WHERE name = 'n/1'`)
      expect(await two.leases.held('n/')).not.toContain('n/1')
      expect(await two.leases.held('n/')).toContain('n/3')
      expect(await two.leases.held('x/')).toEqual([])
      expect(await one.leases.acquireAll([], 'a', longMs)).toEqual([])
    })

    const clocks = [
      { what: 'that ran out is free', shiftMs: -longMs - 1, free: true },
      { what: 'that has not run out is kept', shiftMs: -longMs + 600_000, free: false },
      { what: 'is kept when the clock went back a little', shiftMs: 600_000, free: false },
      { what: 'is free when the clock went back by more than its length', shiftMs: 2 * longMs, free: true },
    ]
    test.each(clocks)('a lease $what', async ({ shiftMs, free }) => {
      const database = await fresh()
      const store = await database.open()
      await store.leases.acquire('refresh', 'gone', longMs)
      await database.execute(`UPDATE leases SET acquired_at = acquired_at + (${shiftMs})`)
      expect(await store.leases.acquire('refresh', 'next', longMs)).toBe(free)
    })
  })
}
