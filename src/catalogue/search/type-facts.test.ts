import fc from 'fast-check'
import { expect, test } from 'vitest'
import { termLength } from '../../domain/offer.ts'
import { Catalogue } from '../catalogue.ts'
import { anyOffer, anyRules } from './random-offers.case.ts'
import { leastPerHourUsd, typeFacts } from './type-facts.ts'

test('facts are those of all offers of the type, provider by provider', () => {
  fc.assert(
    fc.property(fc.array(anyOffer, { minLength: 1, maxLength: 60 }), (offers) => {
      const { searchIndex } = Catalogue.from(offers, { id: 'test', ...anyRules })
      const wanted = offers[0]!
      const facts = typeFacts(searchIndex, wanted.instanceType.toUpperCase())
      const withSameName = offers.filter(
        (o) => o.instanceType.toLowerCase() === wanted.instanceType.toLowerCase(),
      )
      expect(facts.length).toBe(new Set(withSameName.map((o) => `${o.provider} ${o.instanceType}`)).size)
      for (const of of facts) {
        const own = withSameName.filter(
          (o) => o.provider === of.provider && o.instanceType === of.instanceType,
        )
        const priced = own.filter((o) => !anyRules.isLocalZone!(o.provider, o.zone))
        const onDemand = priced.filter((o) => o.usageType === 'ONDEMAND').map((o) => o.pricePerHourUsd)
        expect(of.regions).toEqual([...new Set(own.map((o) => o.region))].sort())
        expect(of.operatingSystems).toEqual([...new Set(own.map((o) => o.operatingSystem))].sort())
        expect(of.usageTypes).toEqual([...new Set(own.map((o) => o.usageType))].sort())
        for (const [usageType, length] of [
          ['SPOT_PREEMPTIBLE'],
          ['RESERVED', '1y'],
          ['RESERVED', '3y'],
        ] as const) {
          const paid = priced.filter(
            (o) => o.usageType === usageType && (!length || termLength(o.term) === length),
          )
          const prices = paid.map((o) => o.pricePerHourUsd)
          expect(leastPerHourUsd(of, usageType, length)).toBe(
            prices.length === 0 ? null : Math.min(...prices),
          )
        }
        expect(of.minPerHourUsd).toBe(onDemand.length === 0 ? null : Math.min(...onDemand))
      }
    }),
  )
})
