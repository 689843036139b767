import { describe, expect, test } from 'vitest'
import { shippedDisks } from '../../catalogue/shipped-facts.ts'
import type { DiskNeed, DiskOffer } from '../../domain/disk.ts'
import { cheaperDisks, currentDisk, diskNeed, offersNamed } from './cheaper-disks.ts'
import { cheapestDisks, priceDisk } from './disk-price.ts'

const at = (provider: string, region: string) =>
  shippedDisks(provider).filter((offer) => offer.region === region)
const month = (provider: string, region: string, type: string, need: Partial<DiskNeed>) => {
  const disk = currentDisk(offersNamed(at(provider, region), type), {
    provider,
    region,
    type,
    capacityGib: need.capacityGib ?? 100,
    iops: need.iops,
    throughputMbps: need.throughputMbps,
  })
  return disk && Math.round(disk.pricePerHourUsd * 730 * 100) / 100
}

describe('prices that everybody can look up', () => {
  test.each([
    // 100 x 0.08; + 1,000 x 0.005; + 125 x 0.04
    ['aws', 'us-east-1', 'gp3', {}, 8],
    ['aws', 'us-east-1', 'gp3', { iops: 4000 }, 13],
    ['aws', 'us-east-1', 'gp3', { throughputMbps: 250 }, 13],
    // 1,000 MB/s need 4,000 IOPS: 8 + 1,000 x 0.005 + 875 x 0.04
    ['aws', 'us-east-1', 'gp3', { throughputMbps: 1000 }, 48],
    ['aws', 'us-east-1', 'gp2', {}, 10],
    ['aws', 'us-east-1', 'io1', { capacityGib: 30, iops: 300 }, 23.25],
    ['azure', 'eastus', 'Premium_LRS', {}, 19.71],
    ['azure', 'eastus', 'P10', {}, 19.71],
    ['azure', 'eastus', 'premium_lrs', { capacityGib: 129 }, 38.01],
    // A larger tier for its IOPS.
    ['azure', 'eastus', 'Premium_LRS', { iops: 2000 }, 73.22],
    ['gcp', 'us-central1', 'pd-balanced', {}, 10],
    // 3,000 + 6 x 200 GiB
    ['gcp', 'us-central1', 'pd-balanced', { iops: 4200 }, 20],
  ])('%s %s %s %j', (provider, region, type, need, usd) => {
    expect(month(provider, region, type, need)).toBe(usd)
  })

  test('what no disk of the type does has no price', () => {
    expect(month('aws', 'us-east-1', 'gp3', { iops: 20_000 })).toBeUndefined()
    expect(month('aws', 'us-east-1', 'gp2', { capacityGib: 20_000 })).toBeUndefined()
    expect(month('azure', 'eastus', 'P10', { capacityGib: 200 })).toBeUndefined()
  })
})

/** The rules by counting: every whole size, from the smallest. */
function slowPrice(offer: DiskOffer, need: DiskNeed): number | undefined {
  const free = ({ included, perGib, fromGib, max }: DiskOffer['iops'], gib: number) =>
    Math.min(max, included + (gib > fromGib ? perGib * (gib - fromGib) : 0))
  const growsIops = offer.iops.perGib > 0
  const growsMbps = offer.throughput.perGib > 0
  for (let gib = Math.max(need.capacityGib, offer.minGib); gib <= offer.maxGib; gib = Math.floor(gib) + 1) {
    const [iops, mbps] = [free(offer.iops, gib), free(offer.throughput, gib)]
    const lacksIops = need.iops > iops + 1e-6
    const lacksMbps = need.throughputMbps > mbps + 1e-6
    if ((lacksIops && growsIops) || (lacksMbps && growsMbps)) {
      if (gib > 70_000 || (iops === offer.iops.max && lacksIops)) return undefined
      if (mbps === offer.throughput.max && lacksMbps) return undefined
      continue
    }
    let boughtIops = Math.max(0, need.iops - iops)
    const boughtMbps = Math.max(0, need.throughputMbps - mbps)
    if (boughtMbps > 0 && offer.mbpsPerIops > 0)
      boughtIops = Math.max(boughtIops, Math.ceil(need.throughputMbps / offer.mbpsPerIops) - iops)
    const limitOf = ({ max, maxPerGib }: DiskOffer['iops']) =>
      maxPerGib > 0 ? Math.min(max, maxPerGib * gib) : max
    if (boughtIops > 1e-6 && iops + boughtIops > limitOf(offer.iops)) return undefined
    if (boughtMbps > 1e-6 && mbps + boughtMbps > limitOf(offer.throughput)) return undefined
    return gib * offer.gibPerHourUsd + boughtIops * offer.iopsPerHourUsd + boughtMbps * offer.mbpsPerHourUsd
  }
  return undefined
}

test('1,000 random disks: the same cheapest price as by counting', () => {
  const random = randomOf(42)
  const places = (
    [
      ['aws', 'us-east-1'],
      ['aws', 'eu-west-1'],
      ['azure', 'eastus'],
      ['azure', 'westeurope'],
      ['gcp', 'us-central1'],
    ] as const
  ).map(([provider, region]) => at(provider, region))
  let found = 0
  const wrong: string[] = []
  for (let i = 0; i < 1000; i++) {
    const offers = places[i % places.length]!
    const need = {
      capacityGib: Math.ceil(2 ** (15 * random())),
      iops: Math.floor(2 ** (17 * random())),
      throughputMbps: Math.floor(2 ** (11 * random())),
    }
    const slow = offers.map((offer) => slowPrice(offer, need))
    const expected = slow.filter((price) => price !== undefined).sort((a, b) => a - b)[0]
    const [best] = cheapestDisks(offers, need)
    if (expected === undefined) expect(best, JSON.stringify(need)).toBeUndefined()
    else expect(best?.pricePerHourUsd, JSON.stringify(need)).toBeCloseTo(expected, 9)
    const other = offers.filter(
      (offer, j) => (priceDisk(offer, need) === undefined) !== (slow[j] === undefined),
    )
    if (other.length > 0) wrong.push(`${other[0]!.type} ${other[0]!.tier} ${JSON.stringify(need)}`)
    found += best === undefined ? 0 : 1
  }
  expect(wrong).toEqual([])
  expect(found).toBeGreaterThan(700)
})

describe('cheaper disks', () => {
  const find = (
    type: string,
    capacityGib: number,
    usage: object,
    region = 'us-east-1',
    provider = 'aws',
    bought = {},
  ) => {
    const disk = { provider, region, type, capacityGib, ...bought }
    const current = currentDisk(offersNamed(at(provider, region), type), disk)!
    const need = diskNeed(current, capacityGib, usage)
    return cheaperDisks(current, need, at(provider, region), () => false).map(
      ({ offer, billedGib, iops }) => `${offer.type} ${offer.tier} ${billedGib} ${iops}`,
    )
  }

  test('gp2 becomes gp3, and keeps its size', () => {
    expect(find('gp2', 500, { iops: 100, throughputMbps: 20 })).toEqual(['gp3  500 3000'])
  })

  test('what was not measured stays', () => {
    // gp2 of 2,000 GiB does 6,000 IOPS and 250 MB/s.
    expect(find('gp2', 2000, {})).toEqual(['gp3  2000 6000'])
  })

  test('unused IOPS are given back', () => {
    expect(find('gp3', 100, { iops: 500 }, 'us-east-1', 'aws', { iops: 10_000 })).toContain('gp3  100 3000')
    expect(find('gp3', 100, { iops: 9000 }, 'us-east-1', 'aws', { iops: 10_000 })).toEqual([])
  })

  test('a fast disk does not become a slow one, nor one that is charged by operation', () => {
    expect(find('P30', 1024, { iops: 10, throughputMbps: 5 }, 'eastus', 'azure')).toEqual([
      'PremiumV2_LRS  1024 3000',
    ])
  })
})

/** Mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
