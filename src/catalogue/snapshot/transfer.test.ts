import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Need } from '../../domain/need.ts'
import { type Offer, operatingSystems, terms, usageTypes } from '../../domain/offer.ts'
import { Catalogue } from '../catalogue.ts'
import { OfferView } from '../columns/offer-view.ts'
import { anyNeed, anyOffer, anyRules, knownZones } from '../search/random-offers.case.ts'
import { attachCatalogue, detachCatalogue } from './transfer.ts'

/** A catalogue that was moved as to another thread must answer like one that was not. */
function check(offers: readonly Offer[], needs: readonly Need[]): void {
  const make = () => Catalogue.from(offers, { id: 'test', zones: knownZones, ...anyRules })
  const stayed = make()
  const { moved, buffers } = detachCatalogue(make())
  const there = attachCatalogue(structuredClone(moved, { transfer: buffers }), anyRules)
  expect(there.id).toBe(stayed.id)
  expect(there.zones).toEqual(stayed.zones)
  expect(there.facets()).toEqual(stayed.facets())
  expect([...there.offers()]).toEqual([...stayed.offers()])
  expect([...there.columns.offers.price]).toEqual([...stayed.columns.offers.price])
  for (const need of needs) expect(answers(there, need)).toEqual(answers(stayed, need))
  for (const { provider, family, region, zone } of offers.slice(0, 5))
    for (const operatingSystem of operatingSystems)
      for (const usageType of usageTypes)
        for (const term of terms) {
          const query = { provider, family, region, zone, operatingSystem, usageType, term }
          const [found, expected] = [there, stayed].map((one) => one.familyOffers(query).map((o) => o.copy()))
          expect(found).toEqual(expected)
        }
}

const answers = (catalogue: Catalogue, need: Need) =>
  catalogue.search(need).map(({ instanceType, offers }) => ({
    instanceType,
    offers: offers.map((offer) => (offer instanceof OfferView ? offer.copy() : offer)),
  }))

test('a transferred catalogue answers like the original', () => {
  const offers = fc.array(anyOffer, { maxLength: 60, size: 'max' })
  fc.assert(fc.property(offers, fc.array(anyNeed, { maxLength: 10 }), check), { numRuns: 100 })
})

test('arrays are transferred, not copied', () => {
  const catalogue = Catalogue.from(fc.sample(anyOffer, 50), { id: 'test' })
  const { offers } = detachCatalogue(catalogue).moved.arrays
  const { moved, buffers } = detachCatalogue(catalogue)
  structuredClone(moved, { transfer: buffers })
  expect(offers.price.length).toBe(0)
  expect(catalogue.searchIndex.lists.price.length).toBe(0)
})
