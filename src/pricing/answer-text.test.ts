import fc from 'fast-check'
import { expect, test } from 'vitest'
import { round } from '../domain/money.ts'
import { type Offer, usageTypes } from '../domain/offer.ts'
import { answerOf, type Facts } from './answer.ts'
import { answerText, writeAnswer } from './answer-text.ts'
import { ByteWriter, mostNumberBytes, slackBytes } from './byte-writer.ts'
import { offer } from './offer.case.ts'
import { WrittenOffers } from './written-offers.ts'

const facts: Facts = { displayName: (o) => o.provider.toUpperCase(), ratesOf: () => null }
const vm = { vcpus: 2, ramGib: 8 }

const amount = fc.oneof(
  fc.double({ min: 0, max: 1e7, noNaN: true }),
  fc.nat(2_000_000_000).map((n) => n / 1e6),
  fc.constantFrom(0, 1e-6, 5e-7, 0.1, 0.999, 0.9995, 999.9999995, 1e15),
)

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
function written(put: (writer: ByteWriter) => void): string {
  const bytes = new Uint8Array(mostNumberBytes + slackBytes)
  const writer = new ByteWriter(bytes)
  put(writer)
  return textOf(bytes.subarray(0, writer.length))
}
const thousandthsText = (value: number) =>
  written((writer) => writer.putThousandths(Float64Array.of(value), 0))
const millionthsText = (value: number) => written((writer) => writer.putMillionths(Float64Array.of(value), 0))

test('amounts are written as JSON writes them', () => {
  fc.assert(
    fc.property(amount, (value) => {
      expect(thousandthsText(round(value, 3))).toBe(JSON.stringify(round(value, 3)))
      expect(millionthsText(round(value, 6))).toBe(JSON.stringify(round(value, 6)))
    }),
    { numRuns: 2000 },
  )
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, -1.5])('%d is left to JSON', (value) => {
  expect(thousandthsText(value)).toBe(JSON.stringify(value))
  expect(millionthsText(value)).toBe(JSON.stringify(value))
})

const name = fc.constantFrom('a', 'b', '"', '4', '__proto__', 'é\n', '\u0001'.repeat(40), '語'.repeat(80))
const anyOffer: fc.Arbitrary<Offer> = fc
  .record({
    provider: fc.constantFrom('north', 'south'),
    region: name,
    zone: fc.constantFrom('', 'z'),
    instanceType: name,
    usageType: fc.constantFrom(...usageTypes),
    vcpus: fc.constantFrom(2, 3.5, null),
    pricePerHourUsd: fc.oneof(
      fc.nat(200_000).map((n) => n / 1e6),
      fc.constantFrom(0.073981, -1, 0.0999999999, 0.0999995, 0.0999996),
    ),
    monthlyCapUsd: fc.constantFrom(null, 30),
  })
  .map((over) => offer(over))

/** One offer of each kind, as a catalogue has it. */
const answers = fc
  .uniqueArray(anyOffer, {
    selector: (o) => [o.instanceType, o.region, o.zone, o.provider, o.usageType].join(' '),
    maxLength: 12,
  })
  .map((offers) => offers.map((o, position) => ({ ...o, position })))
  .map((offers) => [...Map.groupBy(offers, (o) => o.instanceType)])
  .map((groups) => groups.map(([instanceType, offers]) => ({ instanceType, offers })))

test('written at once or made first, the text is the same, the second time too', () => {
  const current = offer({ instanceType: 'now', pricePerHourUsd: 0.1, monthlyCapUsd: 60 })
  fc.assert(
    fc.property(answers, fc.constantFrom(2, 1000), (found, most) => {
      const offers = new WrittenOffers(facts, most)
      const expected = answerText(answerOf(current, vm, found, facts))
      for (let times = 0; times < 2; times++) {
        const writing = {
          writtenOf: (o: Offer) => offers.of(o),
          allocate: (bytes: number) => new Uint8Array(bytes),
        }
        expect(textOf(writeAnswer(current, vm, found, facts, writing))).toBe(expected)
      }
    }),
  )
})
