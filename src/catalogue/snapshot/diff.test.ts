import { expect, test } from 'vitest'
import { offer as plainOffer } from '../../domain/offer.case.ts'
import type { Offer } from '../../domain/offer.ts'
import { diffSnapshots, type ProviderDiff } from './diff.ts'
import { decodeSnapshot, encodeSnapshot } from './snapshot.ts'

test('equal catalogues have no differences', () =>
  check([offer({})], [offer({ day: '2026-02-01' })], { offersBefore: 1, offersAfter: 1 }))

test('added and removed offers, types and regions are counted', () =>
  check(
    [offer({}), offer({ region: 'west', instanceType: 'm2' })],
    [offer({}), offer({ term: '1y', usageType: 'RESERVED' }), offer({ region: 'north', instanceType: 'm3' })],
    {
      offersBefore: 2,
      offersAfter: 3,
      added: 2,
      removed: 1,
      typesAdded: ['m3'],
      typesRemoved: ['m2'],
      regionsAdded: ['north'],
      regionsRemoved: ['west'],
    },
  ))

test('changed prices are counted', () => {
  const prices = (...values: number[]) =>
    values.map((pricePerHourUsd, i) => offer({ pricePerHourUsd, instanceType: `m${i}` }))
  const [diff] = diffOf(prices(1, 2, 4, 8), prices(1.5, 2, 3, 8.8))
  expect(diff).toMatchObject({ moved: 3, added: 0, removed: 0 })
  expect(diff!.medianMovePercent).toBeCloseTo(10)
  expect(diff!.largestMoves.map((m) => [m.offer.instanceType, Math.round(m.percent)])).toEqual([
    ['m0', 50],
    ['m2', -25],
    ['m3', 10],
  ])
})

test('differences are reported for each provider, and added and removed providers are distinguished', () => {
  const diff = diffOf([offer({ provider: 'bolt' })], [offer({ provider: 'acme' })])
  expect(diff.map((d) => [d.provider, d.added, d.removed])).toEqual([
    ['acme', 1, 0],
    ['bolt', 0, 1],
  ])
})

function check(before: Offer[], after: Offer[], expected: Partial<ProviderDiff>): void {
  const nothing = { added: 0, removed: 0, moved: 0, medianMovePercent: 0, largestMoves: [] }
  const noNames = { typesAdded: [], typesRemoved: [], regionsAdded: [], regionsRemoved: [] }
  expect(diffOf(before, after)).toEqual([{ provider: 'acme', ...nothing, ...noNames, ...expected }])
}

function diffOf(before: Offer[], after: Offer[]): ProviderDiff[] {
  const manifest = { builtAt: '', exchange: null, providers: [] }
  const [a, b] = [before, after].map((offers) => decodeSnapshot(encodeSnapshot(offers, [], manifest)))
  return diffSnapshots(a!, b!)
}

const offer = (differing: Partial<Offer>): Offer =>
  plainOffer({
    provider: 'acme',
    service: 'compute',
    region: 'east',
    instanceType: 'm1',
    pricePerHourUsd: 1,
    family: 'm',
    source: 'a list',
    day: '2026-01-01',
    ...differing,
  })
