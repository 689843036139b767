import fc from 'fast-check'
import { expect, test } from 'vitest'
import { offer } from '../../domain/offer.case.ts'
import { type Offer, usageTypes } from '../../domain/offer.ts'
import { buildResult, instancePricing, type OfferFacts } from './answer.ts'
import { EncodedOffers, EncodeWorkspace, encodeResult, resultJson } from './encode-answer.ts'

const facts: OfferFacts = { displayName: (o) => o.provider.toUpperCase(), ratesOf: () => null }
const vm = { vcpus: 2, ramGib: 8 }

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

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

/** One offer of each kind that catalogues contain, each in one of two catalogues. */
const answers = fc
  .uniqueArray(fc.tuple(anyOffer, fc.nat(1)), {
    selector: ([o]) => [o.instanceType, o.region, o.zone, o.provider, o.usageType].join(' '),
    maxLength: 12,
  })
  .map((offers) => [...Map.groupBy(offers, ([o]) => o.instanceType)])

const now = offer({ instanceType: 'now', pricePerHourUsd: 0.1, monthlyCapUsd: 60 })

test('the encoded answer equals the JSON of the built answer, also when encoded again', () => {
  fc.assert(
    fc.property(answers, fc.constantFrom(2, 100_000), fc.boolean(), (groups, most, isListed) => {
      const catalogues: [Offer[], Offer[]] = [[now], []]
      const sources: number[] = []
      const positions: number[] = []
      const starts = [0]
      for (const [, offers] of groups) {
        for (const [one, source] of offers) {
          sources.push(source)
          positions.push(catalogues[source]!.push(one) - 1)
        }
        starts.push(positions.length)
      }
      const found = {
        types: groups.length,
        starts: Int32Array.from(starts),
        sources: Int32Array.from(sources),
        positions: Int32Array.from(positions),
      }
      const types = groups.map(([instanceType, offers]) => ({ instanceType, offers: offers.map(([o]) => o) }))
      const expected = resultJson(buildResult(now, vm, types, facts))
      const offers = catalogues.map((list) => new EncodedOffers(facts, (position) => list[position]!, most))
      const base = isListed ? 0 : JSON.stringify(instancePricing(now, vm, facts))
      const workspace = new EncodeWorkspace()
      const allocate = (bytes: number) => Buffer.alloc(bytes, '?')
      for (let times = 0; times < 3; times++)
        expect(textOf(encodeResult(now, base, found, { offers, workspace, allocate }))).toBe(expected)
    }),
  )
})
