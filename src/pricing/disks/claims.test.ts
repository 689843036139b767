import { expect, test } from 'vitest'
import { planMarket } from '../../../test/plans/market.ts'
import { shippedDisks } from '../../catalogue/shipped-facts.ts'
import { NotFound } from '../../domain/not-found.ts'
import { adviseClaim, diskTypeOfClass, type MeasuredClaim } from './claims.ts'

const deps = planMarket()

function advise(claim: Partial<MeasuredClaim>, type: string, provider = 'aws', region = 'us-east-1') {
  const whole = { namespace: 'shop', name: 'data', storageClass: type, capacityGib: 100, ...claim }
  const { current, better, unusedPerHourUsd } = adviseClaim(deps, whole, { provider, region, type })
  if (current instanceof NotFound) return current.code
  const month = (usd: number) => Math.round(usd * 730 * 100) / 100
  const shown = better && `${better.offer.type} ${better.offer.tier}`.trim()
  return [
    month(current.pricePerHourUsd),
    shown,
    better && month(better.pricePerHourUsd),
    month(unusedPerHourUsd),
  ]
}

test('gp2 becomes gp3, with the throughput that gp2 has unless less is used', () => {
  expect(advise({}, 'gp2')).toEqual([10, 'gp3', 8.12, 0])
  expect(advise({ iops: 50, throughputMbps: 5 }, 'gp2')).toEqual([10, 'gp3', 8, 0])
  expect(advise({}, 'gp3')).toEqual([8, undefined, undefined, 0])
})

test('a tier of Azure becomes another type, and no disk shrinks', () => {
  const advised = advise(
    { capacityGib: 1024, usedGib: 10, iops: 10, throughputMbps: 5 },
    'Premium_LRS',
    'azure',
    'eastus',
  )
  expect(advised.slice(0, 2)).toEqual([135.17, 'PremiumV2_LRS'])
  expect(advised[3]).toBeGreaterThan(50)
})

test('what no type of disk is called has no price', () => {
  expect(advise({}, 'fast')).toBe('unknown-instance-type')
  expect(advise({ capacityGib: 99_999 }, 'gp3')).toBe('no-price')
})

test.each([
  ['standard-rwo', 'pd-balanced'],
  ['gp3', 'gp3'],
  ['ebs-GP3-encrypted', 'gp3'],
  ['my-pd-ssd', 'pd-ssd'],
  ['gp33', 'gp33'],
  ['constructor', 'constructor'],
])('the class %s means the type %s', (storageClass, type) => {
  expect(diskTypeOfClass(storageClass, ['gp2', 'gp3', 'pd', 'pd-ssd'])).toBe(type)
})

test('1,000 random claims: the disk is large and fast enough, costs less, and none that does is cheaper', () => {
  const random = randomOf(7)
  const places = [
    ['aws', 'us-east-1', 'gp2'],
    ['aws', 'us-east-1', 'gp3'],
    ['aws', 'eu-west-1', 'gp2'],
    ['azure', 'eastus', 'Premium_LRS'],
    ['gcp', 'us-central1', 'pd-ssd'],
    ['gcp', 'us-central1', 'pd-balanced'],
  ] as const
  let advised = 0
  for (let i = 0; i < 1000; i++) {
    const [provider, region, type] = places[i % places.length]!
    const capacityGib = Math.ceil(2 ** (13 * random()))
    const usage = {
      usedGib: capacityGib * random(),
      ...(random() < 0.7 && { iops: Math.floor(2 ** (13 * random())) }),
      ...(random() < 0.7 && { throughputMbps: Math.floor(2 ** (9 * random())) }),
    }
    const claim = { namespace: 'n', name: `${i}`, storageClass: type, capacityGib, ...usage }
    const { current, better } = adviseClaim(deps, claim, { provider, region, type })
    if (current instanceof NotFound) throw current
    // What is used with a fifth in reserve, but no more than it has; what is not known as it is.
    const needed = (used: number | undefined, has: number) =>
      used === undefined ? has : used > has ? used : Math.min(used / 0.8, has)
    const [iops, mbps] = [
      needed(usage.iops, current.iops),
      needed(usage.throughputMbps, current.throughputMbps),
    ]
    if (better === undefined) continue
    advised++
    expect(better.billedGib).toBeGreaterThanOrEqual(capacityGib)
    expect(better.iops).toBeGreaterThanOrEqual(iops - 1e-6)
    expect(better.throughputMbps).toBeGreaterThanOrEqual(mbps - 1e-6)
    expect(better.pricePerHourUsd).toBeLessThan(current.pricePerHourUsd)
    // Without larger sizes and bought speed: every offer of the kind that has enough as it is.
    for (const offer of shippedDisks(provider)) {
      const isHere = offer.region === region && offer.minGib <= capacityGib && offer.maxGib >= capacityGib
      const isKind = offer.traits.every(
        (trait) =>
          current.offer.traits.includes(trait) ||
          trait === 'durable' ||
          trait === 'data-only' ||
          trait === 'replicated',
      )
      const has = (limit: typeof offer.iops) =>
        Math.min(limit.max, limit.included + limit.perGib * Math.max(0, capacityGib - limit.fromGib))
      if (isHere && isKind && has(offer.iops) >= iops && has(offer.throughput) >= mbps)
        expect(better.pricePerHourUsd).toBeLessThanOrEqual(capacityGib * offer.gibPerHourUsd + 1e-9)
    }
  }
  expect(advised).toBeGreaterThan(300)
})

/** Park and Miller. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
}
