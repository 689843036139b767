import { expect, test } from 'vitest'
import { ordinaryTraits } from '../domain/likeness.ts'
import { offer } from '../pricing/offer.case.ts'
import { Catalogue } from './catalogue.ts'

const speeds: Record<string, number> = { 'aws m5.large': 100, 'acme m5.large': 200, 'aws fast.large': 300 }
const rules = {
  id: 'test',
  traitsOf: (provider: string, type: string) => ({
    ...ordinaryTraits,
    speed: speeds[`${provider} ${type}`] ?? 0,
  }),
}
const offers = [
  offer({ provider: 'aws', instanceType: 'm5.large' }),
  offer({ provider: 'acme', instanceType: 'm5.large' }),
  offer({ provider: 'aws', instanceType: 'fast.large' }),
]
const catalogue = Catalogue.from(offers, rules)

test('traits are those of the offer, whichever provider has a type of that name', () => {
  for (const one of catalogue.offers())
    expect(catalogue.traitsOf(one).speed).toBe(speeds[`${one.provider} ${one.instanceType}`])
})

test('an offer of another catalogue is known by its names, not by its position', () => {
  const other = Catalogue.from([offer({ provider: 'aws', instanceType: 'fast.large' })], rules)
  const [first] = [...other.offers()]
  expect(catalogue.traitsOf(first!).speed).toBe(300)
  expect(other.traitsOf([...catalogue.offers()].at(-1)!).speed).toBeGreaterThan(0)
  expect(catalogue.traitsOf({ ...first!, instanceType: 'nothing.large' }).speed).toBe(0)
})
