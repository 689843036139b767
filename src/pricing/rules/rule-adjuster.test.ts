import fc from 'fast-check'
import { expect, test } from 'vitest'
import { adjustedCatalogue, buildAdjustment, plainColumns } from '../../catalogue/adjusted-catalogue.ts'
import { Catalogue } from '../../catalogue/catalogue.ts'
import type { OfferView } from '../../catalogue/columns/offer-view.ts'
import { bruteForce } from '../../catalogue/search/brute-force.case.ts'
import { anyNeed, anyOffer, anyRules, knownZones } from '../../catalogue/search/random-offers.case.ts'
import { operatingSystems, usageTypes } from '../../domain/offer.ts'
import { applyRules, type PriceRule } from './price-rule.ts'
import { RuleAdjuster } from './rule-adjuster.ts'

const maybe = <T>(...values: T[]) => fc.constantFrom(undefined, undefined, ...values)

const anyRule: fc.Arbitrary<PriceRule> = fc.record({
  name: fc.constantFrom('EDP', 'agreement', 'fee'),
  provider: maybe('acme', 'bolt', '*o*'),
  region: maybe('east', 'north-*'),
  family: maybe('m', 'c'),
  instanceType: maybe('m*', 'c9.*', '*large', 'g4'),
  usageType: maybe(...usageTypes),
  operatingSystem: maybe(...operatingSystems),
  change: fc.oneof(
    fc.constantFrom(9, 50, 100, -10).map((percentOff) => ({ kind: 'percent' as const, percentOff })),
    fc.constantFrom(0, 0.2, 3).map((perHourUsd) => ({ kind: 'price' as const, perHourUsd })),
    fc.constantFrom(0.1, -0.3).map((perHourUsd) => ({ kind: 'add' as const, perHourUsd })),
  ),
  validFrom: fc.constant(undefined),
  validUntil: fc.constant(undefined),
})

const day = '2026-06-01'

test('random rules on random catalogues: prices and searches equal those of single offers with the rules applied', () => {
  fc.assert(
    fc.property(
      fc.array(anyOffer, { maxLength: 120, size: 'max' }),
      fc.array(anyRule, { maxLength: 6 }),
      fc.array(anyNeed, { minLength: 5, maxLength: 15 }),
      (offers, rules, needs) => {
        const listed = Catalogue.from(offers, { id: 'list', zones: knownZones, ...anyRules })
        const adjustment = buildAdjustment(
          structuredClone(plainColumns(listed)),
          (columns) => new RuleAdjuster(rules, columns),
          anyRules,
        )
        const adjusted = adjustedCatalogue(listed, 'adjusted', structuredClone(adjustment))
        const expected = [...listed.offers()].map((offer) => {
          const { rules: priceRules, ...price } = applyRules(rules, offer, day)
          return { ...offer, ...(priceRules.length > 0 ? { ...price, priceRules } : {}) }
        })
        expect([...adjusted.offers()].map(asText).sort()).toEqual(expected.map(asText).sort())
        const search = bruteForce(expected, knownZones, anyRules)
        for (const need of needs) {
          const found = adjusted.search(need).map(({ instanceType, offers: all }) => ({
            instanceType,
            offers: all.map((offer) => (offer as OfferView).copy()),
          }))
          expect(found).toEqual(search(need))
        }
      },
    ),
    { numRuns: 40 },
  )
})

const asText = (offer: object): string => JSON.stringify(Object.entries(offer).sort())
