import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gridBelow } from '../model/grid.case.ts'
import { exceedance, excess, gridSize, logMultiples, multiples, peakExceedance } from '../model/grid.ts'
import { decide } from './decide.ts'

const outlook = (shares: Float32Array, fleetMeanRatio = 1) => ({
  base: 2,
  floor: 0.01,
  fleetMeanRatio,
  shares,
  beyond: excess(shares),
})
/** Half the time above 0.5 bases, a tenth above 1 base, never above 2. */
const stairs = Float32Array.from(multiples, (m) => (m < 0.5 ? 1 : m < 1 ? 0.5 : m < 2 ? 0.1 : 0))
const free = { time: 0, depth: 0, mostShare: 1 }

describe('decide chooses the size with the least loss', () => {
  test('without a price of risk: the smallest size', () => {
    expect(decide(outlook(stairs), free).request).toBeCloseTo(2 * multiples[0]!, 9)
  })

  test('with a price of time: just enough to end time above the request', () => {
    // From 1 to 2 bases costs 1 more and ends a tenth of the time: worth it from a price of 10 on.
    expect(decide(outlook(stairs), { ...free, time: 9 }).request).toBeLessThan(2.2)
    expect(decide(outlook(stairs), { ...free, time: 12 }).request).toBeGreaterThan(3.9)
  })

  test('a smaller series gets headroom first', () => {
    expect(decide(outlook(stairs, 10), { ...free, time: 2 }).request).toBeGreaterThan(3.9)
  })

  test('no series is planned above its request for longer than allowed', () => {
    expect(decide(outlook(stairs), { ...free, mostShare: 0.2 }).share).toBeLessThanOrEqual(0.2)
  })

  test('the search starts at the largest size', () => {
    const onlyLargest = Float32Array.from(multiples, (_, k) => (k === gridSize - 1 ? 0 : 1))
    const largest = 2 * multiples[gridSize - 1]!
    expect(decide(outlook(onlyLargest), { ...free, mostShare: 0.5 })).toMatchObject({
      request: largest,
      share: 0,
      loss: multiples[gridSize - 1],
    })
    const never = new Float32Array(gridSize).fill(1)
    expect(decide(outlook(never), { ...free, mostShare: 0.5 })).toMatchObject({ request: largest, share: 1 })
  })

  test('among sizes of equal loss, the smallest is chosen', () => {
    const calm = { ...outlook(new Float32Array(gridSize)), floor: 4 }
    expect(decide(calm, free)).toMatchObject({ request: 4, loss: 2 })
    expect(decide(outlook(stairs), { ...free, mostShare: Math.fround(0.1) }).request).toBeCloseTo(2, 9)
  })

  test('the request is never below the floor', () => {
    const idle = { ...outlook(new Float32Array(gridSize)), base: 1e-6 }
    expect(decide(idle, free).request).toBe(0.01)
  })
})

describe('the grid', () => {
  test('ascends, contains the base, and finds the index of each multiple', () => {
    expect(multiples).toContain(1)
    for (let k = 0; k < gridSize; k++) expect(gridBelow(logMultiples[k]! + 1e-9)).toBe(k)
    expect(gridBelow(-99)).toBe(0)
    expect(gridBelow(99)).toBe(gridSize - 1)
  })

  test('shares fall, and nothing lies above the peak', () => {
    const shares = exceedance(Float64Array.of(1, 2, 4), Float64Array.of(2, 1, 1), 4, 1)
    for (let k = 1; k < gridSize; k++) expect(shares[k]!).toBeLessThanOrEqual(shares[k - 1]! + 1e-6)
    expect(shares[0]).toBeCloseTo(1, 6)
    expect(shares[gridBelow(Math.log(1.5))]).toBeCloseTo(0.5, 6)
    expect(shares[gridBelow(Math.log(4.3))]).toBe(0)
    expect(peakExceedance(4, 1)[gridBelow(Math.log(3))]).toBe(1)
  })

  test('excess is the mean usage above', () => {
    const shares = exceedance(Float64Array.of(1, 3), Float64Array.of(1, 1), 3, 1)
    expect(excess(shares)[gridBelow(0)]! / ((3 - 1) / 2)).toBeCloseTo(1, 1)
  })
})

test('the size equals that of a brute-force search', () => {
  const share = fc.oneof(fc.constantFrom(0, 0.25, 1), fc.double({ min: 0, max: 1, noNaN: true }))
  const price = fc.oneof(fc.constantFrom(0, 1, 4), fc.double({ min: 0, max: 600, noNaN: true }))
  const marks = fc.array(share, { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(
      marks,
      price,
      price,
      share,
      fc.double({ min: 0.001, max: 30, noNaN: true }),
      (all, time, depth, mostShare, floor) => {
        const falling = all.toSorted((a, b) => b - a)
        const shares = Float32Array.from(
          multiples,
          (_, k) => falling[Math.floor((k * falling.length) / gridSize)]!,
        )
        const known = { ...outlook(shares), floor }
        const { request, share: chosen, loss } = decide(known, { time, depth, mostShare })
        const beyond = excess(shares)
        const losses = [...multiples].map((multiple, k) =>
          shares[k]! <= mostShare
            ? Math.max(multiple, floor / 2) + time * shares[k]! + depth * beyond[k]!
            : Number.POSITIVE_INFINITY,
        )
        const least = Math.min(...losses)
        const best = least < Number.POSITIVE_INFINITY ? losses.indexOf(least) : gridSize - 1
        expect([request, chosen, loss]).toEqual([Math.max(floor, 2 * multiples[best]!), shares[best]!, least])
      },
    ),
  )
})
