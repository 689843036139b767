import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Catalogue } from '../../catalogue/catalogue.ts'
import { anyOffer } from '../../catalogue/search/random-offers.case.ts'
import { roundHourly } from '../../domain/money.ts'
import { offer } from '../../domain/offer.case.ts'
import { findProvider, providers } from '../../providers/providers.ts'
import { noOwnPrices } from '../market.ts'
import { findTypeFacts, findTypes } from './find-types.ts'
import type { TypeSearch } from './schema.ts'

const find = (catalogue: Catalogue, question: Partial<TypeSearch>) =>
  findTypes({ providers, findProvider, catalogue: () => catalogue, own: () => noOwnPrices }, 'acme', {
    q: '',
    limit: 100,
    ...question,
  })

test('in a region: what is on offer there, and its lowest price', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyOffer, { minLength: 1, maxLength: 40 }), async (offers) => {
      const catalogue = Catalogue.from(offers, { id: 'test' })
      const { region, instanceType } = offers[0]!
      const found = await find(catalogue, { q: instanceType.toUpperCase(), region: region.toUpperCase() })
      const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
      const there = offers.filter(
        (one) =>
          same(one.region, region) && one.instanceType.toLowerCase().includes(instanceType.toLowerCase()),
      )
      const keyOf = (provider: string, type: string) => `${provider} ${type}`
      const all = there.map((one) => keyOf(one.provider, one.instanceType))
      expect(new Set(found.map((one) => keyOf(one.provider_key, one.instance_type)))).toEqual(new Set(all))
      for (const of of found) {
        const own = there.filter((o) => o.provider === of.provider_key && o.instanceType === of.instance_type)
        const onDemand = own.filter((o) => o.usageType === 'ONDEMAND').map((o) => o.pricePerHourUsd)
        expect(of.cost_per_hour_from).toBe(onDemand.length === 0 ? null : roundHourly(Math.min(...onDemand)))
        expect(of.operating_systems).toEqual([...new Set(own.map((o) => o.operatingSystem))].sort())
      }
    }),
  )
})

const many = Catalogue.from(
  Array.from({ length: 1_000 }, (_, n) => offer({ instanceType: `t${n}`, vcpus: (n % 8) + 1 })),
  { id: 'many' },
)

test('the first request for a size does not block others', async () => {
  let turns = 0
  let answered = false
  const turn = () => {
    turns++
    if (!answered) setImmediate(turn)
  }
  setImmediate(turn)
  const found = await find(many, { cpu_cores: 3 })
  answered = true
  expect(new Set(found.map((of) => of.cpu_cores))).toEqual(new Set([3]))
  expect(turns).toBeGreaterThan(5)
})

test('facts are computed once', async () => {
  const [first] = await findTypeFacts(many, ['t7'])
  expect((await findTypeFacts(many, ['T7', 't7'])).map((facts) => facts === first)).toEqual([true])
})
