import { expect, test } from 'vitest'
import { Catalogue } from '../../catalogue/catalogue.ts'
import { offer } from '../../pricing/offer.case.ts'
import { regionsMeant } from './names.ts'

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
  expect(regionsMeant(catalogue, name)).toEqual(meant)
})
