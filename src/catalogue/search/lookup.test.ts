import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Offer } from '../../domain/offer.ts'
import { Catalogue } from '../catalogue.ts'
import { OfferView } from '../columns/offer-view.ts'
import { anyOffer, knownZones } from './random-offers.case.ts'

const manyOffers = fc.array(anyOffer, { minLength: 1, maxLength: 120, size: 'max' })

describe('offers of a type', () => {
  test('are all returned, cheapest first, in any letter case', () => {
    fc.assert(
      fc.property(manyOffers, fc.boolean(), fc.boolean(), (offers, anyUsage, anyService) => {
        const { provider, region, instanceType, operatingSystem, usageType, service } = offers[0]!
        const found = Catalogue.from(offers, { id: '' }).offersOf({
          provider: provider.toUpperCase(),
          region: region.toUpperCase(),
          instanceType: instanceType.toUpperCase(),
          operatingSystem,
          ...(!anyUsage && { usageType }),
          ...(!anyService && { service: service.toUpperCase() }),
        })
        const expected = offers.filter(
          (o) =>
            isIn(o, provider, region) &&
            same(o.instanceType, instanceType) &&
            o.operatingSystem === operatingSystem &&
            (anyUsage || o.usageType === usageType) &&
            (anyService || o.service === service),
        )
        expect(texts(found)).toEqual(texts(expected))
        expect(prices(found)).toEqual(prices(found).sort((a, b) => a - b))
      }),
    )
  })

  test('are empty for an unknown name', () => {
    const query = { provider: 'acme', region: 'east', instanceType: 'm1', operatingSystem: 'Linux' as const }
    const catalogue = Catalogue.from(
      fc
        .sample(anyOffer, { numRuns: 200, seed: 1 })
        .map((o) => ({ ...o, operatingSystem: 'Linux' as const })),
      { id: '' },
    )
    expect(catalogue.offersOf({ ...query, provider: 'nobody' })).toEqual([])
    expect(catalogue.offersOf({ ...query, region: 'nowhere' })).toEqual([])
    expect(catalogue.offersOf({ ...query, instanceType: 'm' })).toEqual([])
    expect(catalogue.offersOf({ ...query, operatingSystem: 'Windows' })).toEqual([])
  })
})

test('offers of a family differ only in type and size', () => {
  fc.assert(
    fc.property(manyOffers, (offers) => {
      const { provider, family, region, operatingSystem, usageType, term, zone } = offers[0]!
      const query = { provider, family, region, operatingSystem, usageType, term, zone }
      const expected = offers.filter(
        (o) =>
          isIn(o, provider, region) &&
          same(o.zone, zone) &&
          o.family === family &&
          o.operatingSystem === operatingSystem &&
          o.usageType === usageType &&
          o.term === term,
      )
      expect(texts(Catalogue.from(offers, { id: '' }).familyOffers(query))).toEqual(texts(expected))
    }),
  )
})

test('the facets of a provider are those of its offers', () => {
  fc.assert(
    fc.property(manyOffers, (offers) => {
      const catalogue = Catalogue.from(offers, { id: '', zones: knownZones })
      expect(catalogue.facets().map((f) => f.provider)).toEqual(distinct(offers, (o) => o.provider))
      for (const facets of catalogue.facets()) {
        const own = offers.filter((o) => o.provider === facets.provider)
        const regions = distinct(own, (o) => o.region)
        const known = knownZones.filter((z) => z.provider === facets.provider && regions.includes(z.region))
        expect(facets).toEqual({
          provider: facets.provider,
          offers: own.length,
          regions,
          usageTypes: distinct(own, (o) => o.usageType),
          zones: distinct([...own, ...known], (o) => o.zone).filter((zone) => zone !== ''),
          operatingSystems: distinct(own, (o) => o.operatingSystem),
          services: distinct(own, (o) => o.service),
          types: distinct(own, (o) => o.instanceType),
        })
      }
    }),
  )
})

test('an offer is found by its position', () => {
  const offers = fc.sample(anyOffer, { numRuns: 100, seed: 2 })
  const catalogue = Catalogue.from(offers, { id: '' })
  const found = Array.from({ length: catalogue.offerCount }, (_, i) => catalogue.offer(i).copy())
  expect(texts(found)).toEqual(texts(offers))
  expect(found).toEqual([...catalogue.offers()])
})

test('an invalid price is refused', () => {
  for (const pricePerHourUsd of [Number.NaN, -1, Infinity])
    expect(() => Catalogue.from([{ ...fc.sample(anyOffer, 1)[0]!, pricePerHourUsd }], { id: '' })).toThrow(
      'no price',
    )
})

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
const isIn = (o: Offer, provider: string, region: string) =>
  same(o.provider, provider) && same(o.region, region)
const prices = (offers: readonly Offer[]) => offers.map((o) => o.pricePerHourUsd)
const texts = (offers: readonly Offer[]) =>
  offers
    .map((o) => ({ ...(o instanceof OfferView ? o.copy() : o), skuIds: o.skuIds ?? [] }))
    .map((o) => JSON.stringify(Object.entries(o).sort()))
    .sort()
const distinct = <T>(values: readonly T[], of: (value: T) => string) => [...new Set(values.map(of))].sort()
