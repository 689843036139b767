import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Catalogue } from '../catalogue/catalogue.ts'
import { offer } from '../domain/offer.case.ts'
import { resolveRegions } from './names.ts'
import { onlyProviderOf } from './price-node.ts'
import { openTestMarket, type TestMarket, testOffers } from './test-market.case.ts'

const regions = [
  ['aws', 'us-east-1'],
  ['gcp', 'us-east1'],
  ['azure', 'westeurope'],
] as const
const catalogue = Catalogue.from(
  regions.map(([provider, region]) => offer({ provider, region })),
  { id: 'test' },
)

test.each<[string, string[]]>([
  ['us-east-1', ['us-east-1']],
  ['US-EAST-1', ['US-EAST-1']],
  ['us-east1', ['us-east1']],
  ['West Europe', ['West Europe', 'westeurope']],
  ['US East 1', ['US East 1', 'us-east-1', 'us-east1']],
  ['nowhere', ['nowhere']],
])('%s means %j', (name, meant) => {
  expect(resolveRegions(catalogue, name)).toEqual(meant)
})

describe('only provider', () => {
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
})
