import fc from 'fast-check'
import { expect, test } from 'vitest'
import { comparabilityOf, ordinaryTraits } from '../domain/comparability.ts'
import { monthUsd } from '../domain/money.ts'
import type { Need } from '../domain/need.ts'
import type { Offer } from '../domain/offer.ts'
import { Catalogue } from './catalogue.ts'
import { countLeftOut } from './left-out.ts'
import { bruteForce } from './search/brute-force.case.ts'
import { anyNeed, anyOffer, anyRules, knownZones } from './search/random-offers.case.ts'

test('every cheaper offer that is large enough is a candidate or left out for one reason', () => {
  fc.assert(
    fc.property(
      fc.array(anyOffer, { maxLength: 100, size: 'max' }),
      fc.array(anyNeed, { maxLength: 8 }),
      check,
    ),
    { numRuns: 300 },
  )
})

function check(offers: readonly Offer[], needs: readonly Need[]): void {
  const catalogue = Catalogue.from(offers, { id: 'test', zones: knownZones, ...anyRules })
  const search = bruteForce(offers, knownZones, anyRules)
  for (const asked of needs) {
    const { usageTypes } = asked.predicates
    const predicates = usageTypes?.length ? { usageTypes } : {}
    const comparableTo = asked.comparableTo ?? comparabilityOf(ordinaryTraits)
    const need = {
      ...asked,
      comparableTo: { ...comparableTo, countsFasterCores: false },
      predicates,
      limit: 1e6,
      offersPerType: 1e6,
    }
    const candidates = search(need).reduce((sum, { offers: of }) => sum + of.length, 0)
    const counts = countLeftOut(catalogue.searchIndex, need, (_, type) => type === 'm1')
    const leftOut = [...counts.values()].reduce((sum, count) => sum + count, 0)
    expect(candidates + leftOut).toBe(offers.filter((offer) => isCheaperAndLarge(offer, need)).length)
  }
}

const isCheaperAndLarge = (offer: Offer, need: Need): boolean =>
  offer.operatingSystem === need.operatingSystem &&
  offer.vcpus !== null &&
  offer.ramGib !== null &&
  offer.vcpus >= need.vcpus &&
  offer.ramGib >= need.ramGib &&
  offer.pricePerHourUsd < need.belowPerHourUsd &&
  monthUsd(offer.pricePerHourUsd, offer.monthlyCapUsd) < need.belowPerMonthUsd
