import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TokenBuckets } from './rate-limit.ts'

test('a burst is allowed, then the rate applies', () => {
  const buckets = new TokenBuckets(100, 200)
  let now = 0
  const allowed = () => buckets.take('a', now) >= 0
  expect(Array.from({ length: 250 }, allowed).filter(Boolean)).toHaveLength(200)
  now += 100
  expect(Array.from({ length: 50 }, allowed).filter(Boolean)).toHaveLength(10)
  expect(buckets.take('b', now)).toBe(199)
})

test('in any period no more than burst + rate x time is allowed', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 60 })), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(
      steps,
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 80 }),
      (moves, rate, burst) => {
        const buckets = new TokenBuckets(rate, burst)
        let now = 0
        let allowed = 0
        for (const [pauseMs, tries] of moves) {
          now += pauseMs
          for (let i = 0; i < tries; i++) if (buckets.take('a', now) >= 0) allowed++
          expect(allowed).toBeLessThanOrEqual(burst + (rate * now) / 1000 + 1e-6)
        }
      },
    ),
  )
})

test('a clock that jumps back adds and removes no tokens', () => {
  const buckets = new TokenBuckets(10, 5)
  for (let i = 0; i < 5; i++) buckets.take('a', 10_000)
  expect(buckets.take('a', 4000)).toBeLessThan(0)
  expect(buckets.take('a', 4100)).toBeGreaterThanOrEqual(0)
})

test('a busy name stays limited after a flood of other names', () => {
  const buckets = new TokenBuckets(1, 2)
  for (let i = 0; i < 120_000; i++) buckets.take(`name-${i}`, i / 100)
  buckets.take('busy', 1300)
  buckets.take('busy', 1300)
  expect(buckets.take('busy', 1300)).toBeLessThan(0)
})
