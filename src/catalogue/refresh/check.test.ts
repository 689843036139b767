import { describe, expect, test } from 'vitest'
import type { Offer, UsageType } from '../../domain/offer.ts'
import { oldOffer } from '../../providers/fetching/old-offer.case.ts'
import { holdBackDrops, reasonToRefuse } from './check.ts'

/** 40 types in 5 regions, on demand and spot. */
const before: Offer[] = Array.from({ length: 200 }, (_, i) =>
  (['ONDEMAND', 'SPOT_PREEMPTIBLE'] as const).map((usageType) =>
    oldOffer('aws', `region-${i % 5}`, `type-${Math.floor(i / 5)}`, 0.1 + Math.floor(i / 5) / 10, {
      usageType,
    }),
  ),
).flat()

const times = (factor: number, which: (offer: Offer, i: number) => boolean = () => true): Offer[] =>
  before.map((offer, i) =>
    which(offer, i) ? { ...offer, pricePerHourUsd: offer.pricePerHourUsd * factor } : offer,
  )
const of = (usage: UsageType) => (offer: Offer) => offer.usageType === usage

describe('a price list is published', () => {
  const rows: [string, Offer[]][] = [
    ['that is the same', before],
    ['where all prices rose by a third', times(1.33)],
    ['where a few prices leapt', times(10, (_, i) => i < 15)],
    ['where spot doubled', times(2, of('SPOT_PREEMPTIBLE'))],
    ['that has more', [...before, ...times(1).map((o) => ({ ...o, region: 'new' }))]],
    ['that lacks one region of five', before.filter((o) => o.region !== 'region-4')],
    ['that is the first', []],
  ]
  for (const [what, next] of rows)
    test(what, () => {
      if (next.length === 0) expect(reasonToRefuse(before, [], [])).toBeUndefined()
      else expect(reasonToRefuse(next, before, [])).toBeUndefined()
    })
})

describe('a price list is held back', () => {
  const rows: [string, Offer[], RegExp][] = [
    ['that is empty', [], /no price at all/],
    ['whose prices are a hundred times too low', times(0.01), /median ONDEMAND price is 0.0100 times/],
    ['whose prices are in cents', times(100), /median ONDEMAND price is 100 times/],
    [
      'whose spot prices are a hundred times too low',
      times(0.01, of('SPOT_PREEMPTIBLE')),
      /SPOT_PREEMPTIBLE/,
    ],
    [
      'where one price in eight leapt',
      times(0.2, (o, i) => i % 8 === 0 && of('ONDEMAND')(o)),
      /changed threefold/,
    ],
    [
      'that lacks two regions of five',
      before.filter((o) => !/-[34]$/.test(o.region)),
      /lacks 2 of 5 regions/,
    ],
    ['that lost most of its prices', before.slice(0, 90), /it has 90 prices, but there were 400 before/],
    ['that lost its spot prices', before.filter(of('ONDEMAND')), /0 SPOT_PREEMPTIBLE prices/],
    [
      'that lacks a third of the machines',
      before.filter((o) => Number(o.instanceType.slice(5)) > 12),
      /covers 135 of 200 machines/,
    ],
  ]
  for (const [what, next, reason] of rows)
    test(what, () => expect(reasonToRefuse(next, before, [])).toMatch(reason))

  test('with many quarantined prices', () => {
    const absurd = before.slice(0, 40).map((offer) => ({ ...offer, medianPerHourUsd: 9, reason: 'absurd' }))
    expect(reasonToRefuse(before, before, absurd)).toBe('9% of its prices are implausible')
    expect(reasonToRefuse(before, before, absurd.slice(0, 10))).toBeUndefined()
  })
})

test('a single price that fell to less than a third is held back, and the old one stays', () => {
  const next = times(0.3, (_, i) => i === 0 || i === 1)
  const { offers, quarantined } = holdBackDrops(next, before)
  expect(offers[0]).toBe(before[0])
  expect(offers[1], 'spot prices do move that far').toBe(next[1])
  expect(quarantined).toMatchObject([
    { instanceType: 'type-0', medianPerHourUsd: 0.1, reason: expect.stringContaining('below a third') },
  ])
  expect(holdBackDrops(times(0.34), before).quarantined).toEqual([])
})
