import { expect, test } from 'vitest'
import { gcpImporter } from '../gcp/live.ts'
import { LastGood } from './importer.ts'
import { type LivePrice, PriceSheet } from './price-sheet.ts'
import { toOffers } from './to-offers.ts'

const spotPrice: LivePrice = {
  region: 'us-central1',
  zone: '',
  instanceType: 'g2-standard-4',
  operatingSystem: 'Linux',
  usageType: 'SPOT_PREEMPTIBLE',
  term: '',
  pricePerHourUsd: 0.397,
  machine: { vcpus: 4, ramGib: 16, architecture: 'x86_64', gpuCount: 1, gpuName: 'NVIDIA L4' },
  monthlyCapUsd: null,
  source: 'a list',
  day: '2026-11-14',
}

const importGcp = (...prices: LivePrice[]) => {
  const sheet = new PriceSheet()
  for (const price of prices) sheet.add(price)
  return toOffers(gcpImporter, sheet, new LastGood([]))
}

test('prices of a region without the machine stay, so that such a machine can be priced', () => {
  const elsewhere = { ...spotPrice, region: 'europe-north1', pricePerHourUsd: 0.077 }
  const { offers, manifest } = importGcp(
    spotPrice,
    elsewhere,
    { ...elsewhere, operatingSystem: 'Windows', pricePerHourUsd: 0.261 },
    { ...elsewhere, usageType: 'ONDEMAND', pricePerHourUsd: 0.778 },
  )
  expect(offers.map(({ region, usageType }) => [region, usageType])).toEqual([
    ['us-central1', 'SPOT_PREEMPTIBLE'],
    ['europe-north1', 'SPOT_PREEMPTIBLE'],
    ['europe-north1', 'SPOT_PREEMPTIBLE'],
    ['europe-north1', 'ONDEMAND'],
  ])
  expect(manifest.dropped).toEqual([])
})

test('a Windows price that is not above the Linux price is quarantined', () => {
  const { offers, manifest } = importGcp(spotPrice, { ...spotPrice, operatingSystem: 'Windows' })
  expect(offers.map(({ operatingSystem }) => operatingSystem)).toEqual(['Linux'])
  expect(manifest.quarantined).toMatchObject([{ operatingSystem: 'Windows', pricePerHourUsd: 0.397 }])
})
