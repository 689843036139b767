import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FleetSample } from './fleet.ts'

test('a sample does not depend on the order of names, and never exceeds its size', () => {
  const names = fc.uniqueArray(fc.string(), { maxLength: 200 })
  fc.assert(
    fc.property(names, fc.integer({ min: 1, max: 50 }), (all, most) => {
      const chosen = (names: readonly string[]) => {
        const sample = new FleetSample<string>(most)
        for (const name of names) if (sample.wants(name)) sample.add(name, name)
        return sample
          .all()
          .map(([name]) => name)
          .sort()
      }
      const once = chosen(all)
      expect(once.length).toBeLessThanOrEqual(most)
      if (all.length <= most) expect(once).toEqual([...all].sort())
      expect(chosen(all.toReversed())).toEqual(once)
    }),
  )
})
