import { expect, onTestFinished, test } from 'vitest'
import { awsOffer } from '../../domain/offer.case.ts'
import type { Offer } from '../../domain/offer.ts'
import { marketOf } from '../../pricing/market.ts'
import { priceMachine, reportedMachine } from '../../pricing/reported-machine.ts'
import { openTestMarket } from '../../pricing/test-market.case.ts'
import { newEntity, setAttribute } from '../../usage/digest/entities.ts'
import { rehost } from './rehost.ts'

/** Returns the replacement of a machine that needs 2 cores. Speeds relative to m5: m5a 0.91, m6a 1.43. */
async function replacementOf(instanceType: string, offers: readonly Offer[]) {
  const { pricing, close } = await openTestMarket(offers)
  onTestFinished(close)
  const market = await marketOf(pricing, 'acme')
  const machine = newEntity({ kind: 'machine', cluster: '', namespace: '', name: 'web-1' }, 0)
  const texts = { provider: 'aws', region: 'us-east-1', instanceType, architecture: 'x86_64' }
  for (const [name, text] of Object.entries(texts)) setAttribute(machine, name, text, 0)
  const size = { cores: 2, gib: 8 }
  const band = { target: size, lower: size, upper: size }
  const described = { facts: reportedMachine(machine), price: priceMachine(pricing, market, machine) }
  return rehost(pricing, market, described, band, { meanCores: 1, measuredHours: 48 }).sameRegion
    ?.instanceType
}

test.each<[string, [string, number][], string]>([
  [
    'm5.xlarge',
    [
      ['m5a.xlarge', 0.172],
      ['m6a.xlarge', 0.1728],
    ],
    'm6a.xlarge',
  ],
  [
    'm5.xlarge',
    [
      ['m5a.xlarge', 0.172],
      ['m6a.xlarge', 0.18],
    ],
    'm5a.xlarge',
  ],
  // A faster one that costs more than now is not worth more than the cheapest.
  [
    'm5.xlarge',
    [
      ['m5a.xlarge', 0.1915],
      ['m6a.xlarge', 0.193],
    ],
    'm5.xlarge',
  ],
  [
    'm5.xlarge',
    [
      ['m5a.xlarge', 0.19],
      ['m6a.xlarge', 0.1915],
    ],
    'm5a.xlarge',
  ],
])('of two that cost nearly the same, the faster one replaces %s: %j', async (current, others, expected) => {
  const offers = [awsOffer('m5.xlarge', 0.192), ...others.map(([type, usd]) => awsOffer(type, usd))]
  expect(await replacementOf(current, offers)).toBe(expected)
})
