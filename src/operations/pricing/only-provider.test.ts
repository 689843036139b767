import { afterAll, beforeAll, expect, test } from 'vitest'
import { offer } from '../../pricing/offer.case.ts'
import { onlyProviderOf } from './only-provider.ts'
import { openTestMarket, type TestMarket, testOffers } from './test-market.case.ts'

let fixture: TestMarket
beforeAll(async () => {
  const small = { service: 'x', region: 'shared', instanceType: 'small', vcpus: 1, ramGib: 1 }
  const both = ['aws', 'gcp'].map((provider) => offer({ ...small, provider, pricePerHourUsd: 0.01 }))
  fixture = await openTestMarket([...testOffers, ...both])
})
afterAll(() => fixture.close())

const rows: [region: string, instanceType: string, seller: string | undefined][] = [
  ['us-east-1', 'm5.xlarge', 'aws'],
  ['US-EAST-1', 'M5.XLARGE', 'aws'],
  ['us-central1', 'n2-standard-4', 'gcp'],
  ['us-central1', 'm5.xlarge', undefined],
  ['shared', 'small', undefined],
  ['', 'm5.xlarge', undefined],
  ['us-east-1', '', undefined],
]
test.each(rows)('%s %s: %s', (region, instanceType, seller) => {
  const machine = { region, instanceType, operatingSystem: 'Linux' } as const
  expect(onlyProviderOf(fixture.pricing, fixture.pricing.catalogue(), machine)?.key).toBe(seller)
})
