import { expect, test } from 'vitest'
import { ordinaryTraits } from '../domain/comparability.ts'
import { offer } from '../domain/offer.case.ts'
import { Catalogue, CatalogueHolder } from './catalogue.ts'

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

const found = (from: Catalogue, provider: string, instanceType: string) =>
  from.offersOf({ provider, region: 'n-1', instanceType, operatingSystem: 'Linux' })[0]!

test.each([
  ['aws', 'm5.large', 100],
  ['acme', 'm5.large', 200],
  ['aws', 'fast.large', 300],
])(
  'the traits of %s %s do not depend on other providers with a type of that name',
  (provider, type, speed) => {
    const one = found(catalogue, provider, type)
    expect(one.position).toBeDefined()
    expect(catalogue.traitsOf(one).speed).toBe(speed)
  },
)

test('an offer of another catalogue is known by its names, not by its position', () => {
  const other = Catalogue.from([offer({ provider: 'aws', instanceType: 'fast.large' })], rules)
  expect(catalogue.traitsOf(found(other, 'aws', 'fast.large')).speed).toBe(300)
  for (const [provider, type, speed] of [
    ['aws', 'm5.large', 100],
    ['acme', 'm5.large', 200],
  ] as const)
    expect(other.traitsOf(found(catalogue, provider, type)).speed).toBe(speed)
})

test('a swap takes effect immediately, and holders of the old catalogue keep it', () => {
  const [first, second] = ['1', '2'].map((id) => Catalogue.from([], { id }))
  const holder = new CatalogueHolder(first!)
  const held = holder.current()
  holder.swap(second!)
  expect(holder.current()).toBe(second)
  expect(held).toBe(first)
})
