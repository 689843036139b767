import { expect, onTestFinished, test } from 'vitest'
import { awsOffer } from '../../domain/offer.case.ts'
import type { Offer } from '../../domain/offer.ts'
import { marketOf } from '../../pricing/market.ts'
import { priceMachine, reportedMachine } from '../../pricing/reported-machine.ts'
import { openTestMarket } from '../../pricing/test-market.case.ts'
import { newEntity, setAttribute } from '../../usage/digest/entities.ts'
import { rehost } from './rehost.ts'

/** Returns the replacement of a machine that needs 2 cores. Speeds relative to m5: m5a 0.91, m6a 1.43. */
async function replacementOf(instanceType: string, offers: readonly Offer[], size = { cores: 2, gib: 8 }) {
  const { pricing, close } = await openTestMarket(offers)
  onTestFinished(close)
  const market = await marketOf(pricing, 'acme')
  const machine = newEntity({ kind: 'machine', cluster: '', namespace: '', name: 'web-1' }, 0)
  const texts = { provider: 'aws', region: 'us-east-1', instanceType, architecture: 'x86_64' }
  for (const [name, text] of Object.entries(texts)) setAttribute(machine, name, text, 0)
  const band = { target: size, lower: size, upper: size }
  const described = { facts: reportedMachine(machine), price: priceMachine(pricing, market, machine) }
  return rehost(pricing, market, described, band, 48).sameRegion?.instanceType
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

test('what replaces a burstable machine must sustain the size, as in the options of the machine', async () => {
  const offers = [
    { ...awsOffer('t3.medium', 0.0416), vcpus: 2, ramGib: 4, burstableBaseline: 0.2 },
    { ...awsOffer('t3a.small', 0.0188), vcpus: 2, ramGib: 2, burstableBaseline: 0.2 },
    { ...awsOffer('t3a.micro', 0.0094), vcpus: 2, ramGib: 1, burstableBaseline: 0.1 },
  ]
  const needing = (cores: number) => ({ cores, gib: 0.6 })
  expect(await replacementOf('t3.medium', offers, needing(0.229))).toBe('t3a.small')
  expect(await replacementOf('t3.medium', offers, needing(0.15))).toBe('t3a.micro')
})

test('what replaces a machine that is not burstable must sustain the size, not only the mean', async () => {
  const offers = [
    { ...awsOffer('m5.large', 0.096), vcpus: 2, ramGib: 8 },
    { ...awsOffer('c5.large', 0.085), vcpus: 2, ramGib: 4 },
    { ...awsOffer('t3.medium', 0.0416), vcpus: 2, ramGib: 4, burstableBaseline: 0.2 },
  ]
  expect(await replacementOf('m5.large', offers, { cores: 1.2, gib: 2 })).toBe('c5.large')
  expect(await replacementOf('m5.large', offers, { cores: 0.4, gib: 2 })).toBe('t3.medium')
})
