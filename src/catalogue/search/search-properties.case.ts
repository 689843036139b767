import fc from 'fast-check'
import { expect, test } from 'vitest'
import { comparabilityOf, ordinaryTraits } from '../../domain/comparability.ts'
import type { FoundType, Need } from '../../domain/need.ts'
import type { Offer } from '../../domain/offer.ts'
import { Catalogue, searchAll, searchAllPositions } from '../catalogue.ts'
import { OfferView } from '../columns/offer-view.ts'
import { bruteForce } from './brute-force.case.ts'
import { anyNeed, anyOffer, anyRules, knownZones } from './random-offers.case.ts'

const options = { id: 'test', zones: knownZones, ...anyRules }

/** Random searches in random catalogues return what the simplest search returns. */
export function searchProperties(cases: number): void {
  test(`${3 * cases} random catalogues: a search equals sorting, filtering and grouping`, () => {
    fc.assert(
      fc.property(
        fc.array(anyOffer, { maxLength: 120, size: 'max' }),
        fc.array(anyNeed, { minLength: 5, maxLength: 20 }),
        (offers, needs) => {
          const catalogue = Catalogue.from(offers, options)
          const search = slowSearch(offers)
          for (const need of needs) check([catalogue], search, need)
        },
      ),
      { numRuns: 3 * cases },
    )
  })

  test(`${2 * cases} random catalogues: a search in two catalogues equals one in a catalogue with all offers`, () => {
    const ours = anyOffer.map((offer) => ({ ...offer, provider: `own ${offer.provider}` }))
    fc.assert(
      fc.property(
        fc.array(anyOffer, { maxLength: 60, size: 'max' }),
        fc.array(ours, { maxLength: 30, size: 'max' }),
        fc.array(anyNeed, { minLength: 5, maxLength: 20 }),
        (builtIn, own, needs) => {
          const catalogues = [Catalogue.from(builtIn, options), Catalogue.from(own, options)]
          const search = slowSearch([...builtIn, ...own])
          for (const need of needs) check(catalogues, search, need)
        },
      ),
      { numRuns: 2 * cases },
    )
  })

  test(`${cases} random catalogues: needs that share a cached search get the same result as brute force`, () => {
    const size = fc.constantFrom(0, 0.3, 0.5, 0.8, 1, 2, 3)
    const bound = fc.constantFrom(0, 0.01, 0.05, 0.1, 0.2, 1, 1000)
    const common = anyNeed.map(
      (need): Need => ({
        ...need,
        gpu: { count: 0, name: '' },
        predicates: { usageTypes: need.predicates.usageTypes },
      }),
    )
    const other = fc.record({
      vcpus: size,
      ramGib: size,
      sustainedVcpus: size,
      comparableTo: fc.constantFrom(
        undefined,
        ...[0, 900, 1100].map((speed) => comparabilityOf({ ...ordinaryTraits, speed })),
      ),
      near: fc.constantFrom(undefined, { area: 'inland', places: [] }, { area: 'overseas', places: [] }),
      architectures: fc.constantFrom(undefined, ['x86_64' as const], ['arm64' as const]),
      belowPerHourUsd: bound,
      belowPerMonthUsd: bound.map((hour) => hour * 730),
    })
    fc.assert(
      fc.property(
        fc.array(anyOffer, { maxLength: 120, size: 'max' }),
        common,
        fc.array(other, { minLength: 20, maxLength: 40 }),
        (offers, need, others) => {
          const catalogue = Catalogue.from(offers, options)
          const search = slowSearch(offers)
          for (const differences of others) check([catalogue], search, { ...need, ...differences })
        },
      ),
      { numRuns: cases },
    )
  })
}

const slowSearch = (offers: readonly Offer[]) => bruteForce(offers, knownZones, anyRules)

function check(catalogues: readonly Catalogue[], search: (need: Need) => FoundType[], need: Need): void {
  const found = searchAll(catalogues, need)
  expect(plain(found)).toEqual(plain(search(need)))
  const { types, starts, sources, positions } = searchAllPositions(catalogues, need)
  const inNumbers = Array.from({ length: types }, (_, g) =>
    Array.from(positions.subarray(starts[g], starts[g + 1]), (position, i) =>
      catalogues[sources[starts[g]! + i]!]!.offer(position).copy(),
    ),
  )
  expect(inNumbers).toEqual(found.map((type) => type.offers.map((o) => (o as OfferView).copy())))
}

const plain = (found: FoundType[]) =>
  found.map(({ instanceType, offers }) => ({
    instanceType,
    offers: offers.map((o) => ({ ...(o instanceof OfferView ? o.copy() : o), skuIds: o.skuIds ?? [] })),
  }))
