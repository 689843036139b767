import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PercentileHistogram, type SpanValues, type SpanWeighting } from './percentile-histogram.ts'

/** The slow twin, which sorts all values and adds them up one by one. */
function slowly(
  { offsets, values, weights }: SpanValues,
  spans: readonly number[],
  { shares, weightOf }: SpanWeighting,
) {
  const all = spans
    .flatMap((span) =>
      Array.from({ length: offsets[span + 1]! - offsets[span]! }, (_, index) => ({
        value: values[offsets[span]! + index]!,
        weight: weights[offsets[span]! + index]! * (weightOf?.[span] ?? 1),
      })),
    )
    .sort((a, b) => a.value - b.value)
  const total = all.reduce((sum, { weight }) => sum + weight, 0)
  const found: number[] = []
  let sum = 0
  for (const { value, weight } of all) {
    sum += weight
    while (found.length < shares.length && sum >= shares[found.length]! * total * (1 - 1e-12))
      found.push(value)
  }
  return found
}

const value = fc.oneof(
  fc.double({ min: 0, max: 4, noNaN: true }),
  fc.integer({ min: 0, max: 300 }).map((power) => 1e-6 * 1.02 ** power),
  fc.constantFrom(0, 1e-12, 1e12, Number.MAX_VALUE, Number.MIN_VALUE),
)
const entries = fc.array(fc.tuple(value, fc.integer({ min: 1, max: 3600 })), { maxLength: 25 })
const shares = fc
  .array(fc.constantFrom(0, 0.05, 0.5, 0.9, 0.95, 0.98, 0.99, 0.995, 1), { maxLength: 6 })
  .map((of) => of.sort((a, b) => a - b))
const weighing = fc.record({
  shares,
  weightOf: fc.constantFrom(
    (_: number) => 1,
    (span: number) => 2 ** (-span / 3),
    (span: number) => 2 ** -span,
    (span: number) => (span < 3 ? 1 : 0),
    () => 0,
    undefined,
  ),
})

const histogram = new PercentileHistogram()

test('percentiles equal those of the sorted values', () => {
  fc.assert(
    fc.property(
      fc.array(entries, { minLength: 1, maxLength: 8 }),
      fc.array(weighing, { minLength: 1, maxLength: 4 }),
      fc.nat(),
      (lists, asked, chosen) => {
        const all = lists.flat()
        const offsets = Uint32Array.from([0, ...lists.map(({ length }) => length)])
        for (let index = 1; index < offsets.length; index++) offsets[index]! += offsets[index - 1]!
        const history = {
          offsets,
          values: Float64Array.from(all, ([one]) => one),
          weights: Float64Array.from(all, ([, weight]) => weight),
        }
        const spans = [...lists.keys()].filter((span) => ((chosen >> span) & 1) === 0)
        const weighings = asked.map(({ shares, weightOf }) => ({
          shares,
          weightOf: weightOf && lists.map((_, span) => weightOf(span)),
        }))
        expect(histogram.percentilesOf(history, spans, 0, spans.length, weighings)).toEqual(
          weighings.map((one) => slowly(history, spans, one)),
        )
      },
    ),
    { numRuns: 500 },
  )
})
