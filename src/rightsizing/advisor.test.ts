import fc from 'fast-check'
import { expect, test } from 'vitest'
import { roundUpSize } from './advisor.ts'

test.each([
  ['cpu', 0.2501, 0.251],
  ['cpu', 0.1 + 0.2, 0.3],
  ['cpu', 0, 0],
  ['memory', 0.5, 0.5],
  ['memory', 1 + 0.1 / 1024, 1 + 1 / 1024],
] as const)('%s %d is rounded up to %d', (resource, value, rounded) => {
  expect(roundUpSize(resource, value)).toBe(rounded)
})

test('a size is rounded up by its first twelve digits', () => {
  const near = fc
    .tuple(fc.integer({ min: 0, max: 1e6 }), fc.double({ min: -2e-11, max: 2e-11, noNaN: true }))
    .map(([whole, off]) => whole * (1 + off))
  const any = fc.double({ min: 0, max: 1e6, noNaN: true })
  fc.assert(
    fc.property(
      fc.constantFrom('cpu' as const, 'memory' as const),
      fc.oneof(near, any),
      (resource, scaled) => {
        const steps = resource === 'cpu' ? 1000 : 1024
        const value = scaled / steps
        expect(roundUpSize(resource, value)).toBe(Math.ceil(Number((value * steps).toPrecision(12))) / steps)
      },
    ),
    { numRuns: 2000 },
  )
})
