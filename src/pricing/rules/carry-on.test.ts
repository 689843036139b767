import { beforeAll, describe, expect, test } from 'vitest'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { loadCatalogue, shippedCatalogue } from '../../catalogue/load-catalogue.ts'
import type { Offer } from '../../domain/offer.ts'
import { enabledProviders } from '../market.ts'
import { csvRecords } from '../own-prices/csv-records.ts'
import { type NodeOverlay, nodeOverlays } from './node-overlays.ts'
import { openCostCsv } from './opencost-csv.ts'
import { applyRules } from './price-rule.ts'
import { checkPriceRules } from './store-rules.ts'

const day = '2026-11-18'
const region = 'us-east-1'
const rules = checkPriceRules([
  { name: 'EDP', provider: 'aws', usage_type: 'on-demand', percent_off: 9 },
  { name: 'm7i', family: 'm7i', percent_off: 12.5 },
  { name: 'agreed', instance_type: 'r6i.4xlarge', usage_type: 'on-demand', price_per_hour_usd: 0.7 },
  { name: 'fee', instance_type: 'c6i.*', usage_type: 'on-demand', add_per_hour_usd: 0.01 },
  { name: 'spot fee', instance_type: 'c5.*', usage_type: 'spot', add_per_hour_usd: 0.002 },
  { name: 'support', family: 'r6i', percent_off: -3 },
  { name: 'old', provider: 'aws', percent_off: 50, valid_until: '2025-12-31' },
  { name: 'elsewhere', provider: 'aws', region: 'eu-*', percent_off: 50 },
])

let offers: readonly Offer[]

beforeAll(async () => {
  const { catalogue } = await loadCatalogue(shippedCatalogue, enabledProviders([]).providers)
  offers = linuxOffers(catalogue)
})

const linuxOffers = (catalogue: Catalogue): Offer[] =>
  catalogue
    .typesOf('aws')
    .flatMap((instanceType) =>
      catalogue.offersOf({ provider: 'aws', region, instanceType, operatingSystem: 'Linux' }),
    )

/** What Karpenter counts with: the overlay of the highest weight that matches changes the price. */
function overlaidPrice(overlays: readonly NodeOverlay[], offer: Offer): number {
  const labels: Record<string, string> = {
    'karpenter.sh/capacity-type': offer.usageType === 'ONDEMAND' ? 'on-demand' : 'spot',
    'node.kubernetes.io/instance-type': offer.instanceType,
  }
  const matching = overlays.filter(({ spec }) =>
    spec.requirements.every(({ key, values }) => values.includes(labels[key]!)),
  )
  expect(matching.length).toBeLessThan(2)
  const [{ spec } = { spec: undefined }] = matching
  if (spec === undefined) return offer.pricePerHourUsd
  if (spec.price !== undefined) return Number(spec.price)
  const adjustment = spec.priceAdjustment!
  // The pattern of the custom resource.
  expect(adjustment).toMatch(/^(([+-](\d*\.?\d+))|(\+\d*\.?\d+%)|(-\d{1,2}(\.\d+)?%)|(-100%))$/)
  return adjustment.endsWith('%')
    ? offer.pricePerHourUsd * (1 + Number(adjustment.slice(0, -1)) / 100)
    : offer.pricePerHourUsd + Number(adjustment)
}

describe('rules as NodeOverlay objects', () => {
  test('give every type the price that the rules give it', () => {
    const overlays = nodeOverlays(rules, offers, day)
    const seen = new Set<string>()
    for (const offer of offers) {
      const isAbsolute = offer.usageType !== 'ONDEMAND' && seen.has(offer.instanceType)
      if (offer.usageType === 'RESERVED' || isAbsolute) continue
      seen.add(offer.usageType === 'ONDEMAND' ? '' : offer.instanceType)
      expect(overlaidPrice(overlays, offer)).toBeCloseTo(applyRules(rules, offer, day).pricePerHourUsd, 5)
    }
    expect(new Set(overlays.map(({ metadata }) => metadata.name)).size).toBe(overlays.length)
  })

  test('combine what matches', () => {
    const of = (type: string) =>
      nodeOverlays(rules, offers, day).find(({ spec }) => spec.requirements[1]!.values.includes(type))
    expect(of('m5.large')!.spec.priceAdjustment).toBe('-9%')
    expect(of('m7i.large')).toMatchObject({
      metadata: { annotations: { 'cheapside/price-rules': 'EDP, m7i' } },
      spec: { priceAdjustment: '-20.375%' },
    })
    expect(of('r6i.4xlarge')!.spec.price).toBe('0.721')
    expect(nodeOverlays([], offers, day)).toEqual([])
  })
})

test('rules as the pricing file of OpenCost: the class of a node has the price of its type', () => {
  const [head, ...rows] = csvRecords(openCostCsv(rules, offers, day)).map(({ cells }) => cells)
  expect(head).toHaveLength(8)
  // As csvprovider.go reads it: by region and type.
  const prices = new Map(rows.map((cells) => [`${cells[2]},${cells[5]},${cells[3]}`, Number(cells[6])]))
  const onDemand = offers.filter(({ usageType, zone }) => usageType === 'ONDEMAND' && zone === '')
  expect(prices.size).toBe(onDemand.length)
  for (const offer of onDemand)
    expect(prices.get(`${region},${offer.instanceType},node`)).toBe(
      applyRules(rules, offer, day).pricePerHourUsd,
    )
})
