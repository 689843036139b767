import { describe, expect, test } from 'vitest'
import type { Recommendation, SubjectSize } from '../schema.ts'
import { follow } from './follow.ts'
import {
  type RecommendationDecision,
  type RecommendationRecord,
  realisedPerMonthUsd,
  realisedUsd,
  stateOf,
} from './followed-recommendation.ts'
import { exampleRecommendation, sizeOf } from './recommendation.case.ts'
import { noSize } from './recommendation-row.ts'

const monthMs = 730 * 3_600_000
const record = (more: Partial<RecommendationRecord> = {}): RecommendationRecord => ({
  recommendation: exampleRecommendation(),
  decision: null,
  applied: null,
  version: 1,
  advisedAt: 0,
  ...more,
})
const decided = (
  state: RecommendationDecision['state'],
  more: Partial<RecommendationDecision> = {},
): RecommendationDecision => ({
  state,
  reason: null,
  until: null,
  at: 1,
  by: 'me',
  ...more,
})

test('what is recommended for the first time is remembered', () => {
  const advised = exampleRecommendation()
  expect(follow(undefined, { size: undefined, advised }, 5)).toEqual({
    recommendation: advised,
    decision: null,
    applied: null,
    version: 0,
    advisedAt: 5,
  })
  expect(follow(undefined, { size: sizeOf(2, 4), advised: undefined }, 5)).toBeUndefined()
})

test.each<[string, SubjectSize | null | undefined, boolean]>([
  ['as recommended', sizeOf(1, 2), true],
  ['rounded up to readable quantities', sizeOf(1.1, 2.25), true],
  ['somewhat less', sizeOf(0.95, 1.9), true],
  ['as before', sizeOf(2, 4), false],
  ['one of the two', sizeOf(1, 4), false],
  ['half of the way', sizeOf(1.5, 3), false],
  ['removed', sizeOf(null, null), false],
  ['gone', null, false],
  ['unseen', undefined, false],
])('requests %s', (_, size, isApplied) => {
  const next = follow(record(), { size, advised: undefined }, 10)
  expect(next?.applied?.perMonthUsd).toBe(isApplied ? 30 : undefined)
  if (isApplied) expect(stateOf(next!, false, 10)).toBe('applied')
})

test('a small change that is recommended does not count as applied before it is', () => {
  const recommendation = exampleRecommendation({ current: sizeOf(1.05, 4), recommended: sizeOf(1, 4) })
  expect(
    follow(record({ recommendation }), { size: sizeOf(1.05, 4), advised: recommendation }, 10),
  ).toBeUndefined()
  expect(
    follow(record({ recommendation }), { size: sizeOf(1, 4), advised: undefined }, 10)?.applied,
  ).toMatchObject({
    from: 10,
  })
})

describe('once applied', () => {
  const applied = follow(record(), { size: sizeOf(1, 2), advised: undefined }, 0)!

  test('savings are added up as long as the requests stay', () => {
    expect(realisedUsd(applied.applied!, monthMs / 2)).toBe(15)
    expect(follow(applied, { size: sizeOf(1, 2), advised: undefined }, monthMs)).toBeUndefined()
    expect(follow(applied, { size: sizeOf(0.9, 1.8), advised: undefined }, monthMs)).toBeUndefined()
  })

  test('they end when the requests go back, or nothing is seen any more', () => {
    for (const size of [sizeOf(2, 4), sizeOf(1, 3.5), undefined]) {
      const ended = follow(applied, { size, advised: undefined }, monthMs)!
      expect(ended.applied).toMatchObject({ from: null, totalUsd: 30 })
      expect(realisedUsd(ended.applied!, 5 * monthMs)).toBe(30)
      expect(stateOf(ended, false, monthMs)).toBe('open')
    }
  })

  test('they are counted for a year', () => {
    expect(realisedUsd(applied.applied!, 30 * monthMs)).toBeCloseTo(360)
    expect(realisedPerMonthUsd(applied.applied!, 30 * monthMs)).toBe(0)
  })

  test('what is recommended next is open, and adds to them when it is applied too', () => {
    const advised = exampleRecommendation({
      current: sizeOf(1, 2),
      recommended: sizeOf(0.5, 2),
      worth_per_month: 10,
    })
    const again = follow(applied, { size: sizeOf(1, 2), advised }, monthMs)!
    expect(stateOf(again, true, monthMs)).toBe('open')
    const twice = follow(again, { size: sizeOf(0.5, 2), advised: undefined }, monthMs)!
    expect(twice.applied).toMatchObject({ perMonthUsd: 40, totalUsd: 30, before: sizeOf(2, 4) })
    expect(realisedUsd(twice.applied!, 2 * monthMs)).toBe(70)
    // After a year the savings of the first one are no longer counted, and the second one does not renew them.
    const late = follow(again, { size: sizeOf(0.5, 2), advised: undefined }, 13 * monthMs)!
    expect(late.applied!.perMonthUsd).toBe(10)
    expect(realisedUsd(late.applied!, 14 * monthMs)).toBeCloseTo(370)
  })
})

test('what was accepted stays as it was accepted, until it is applied', () => {
  const accepted = record({ decision: decided('accepted') })
  const advised = exampleRecommendation({ recommended: sizeOf(0.4, 2) })
  expect(follow(accepted, { size: sizeOf(2, 4), advised }, 10)).toBeUndefined()
  expect(follow(record(), { size: sizeOf(2, 4), advised }, 10)?.recommendation.recommended).toEqual(
    sizeOf(0.4, 2),
  )
  const applied = follow(accepted, { size: sizeOf(1, 2), advised }, 10)!
  expect(applied.applied?.perMonthUsd).toBe(30)
  expect(applied.recommendation.recommended).toEqual(sizeOf(0.4, 2))
})

test('small differences are written once a day', () => {
  const advised = exampleRecommendation({ worth_per_month: 30.5 })
  expect(follow(record(), { size: sizeOf(2, 4), advised }, 86_400_000)).toBeUndefined()
  expect(follow(record(), { size: sizeOf(2, 4), advised }, 86_400_001)?.recommendation).toBe(advised)
})

test.each<[string, Partial<Recommendation>]>([
  ['another limit', { recommended: { ...exampleRecommendation().recommended!, cpu_limit_cores: 3 } }],
  ['another owner', { managed_by: 'the platform team' }],
])('%s is written at once, because patches are made from it', (_, more) => {
  const advised = exampleRecommendation(more)
  expect(follow(record(), { size: sizeOf(2, 4), advised }, 1)?.recommendation).toEqual(advised)
})

test('a machine is replaced when it reports the recommended type', () => {
  const of = (type: string) => ({ ...noSize, instance_type: type, region: 'us-east-1' })
  const recommendation = exampleRecommendation({
    kind: 'machine',
    current: of('m5.2xlarge'),
    recommended: of('m7a.large'),
  })
  const known = record({ recommendation })
  expect(follow(known, { size: of('m5.2xlarge'), advised: recommendation }, 1)).toBeUndefined()
  const replaced = follow(known, { size: of('m7a.large'), advised: undefined }, 1)!
  expect(replaced.applied).toMatchObject({ perMonthUsd: 30, from: 1 })
  expect(follow(replaced, { size: of('m5.2xlarge'), advised: undefined }, 2)?.applied?.from).toBeNull()
})

test('a cluster is changed when it has the recommended nodes, or fewer', () => {
  const of = (nodes: number, type: string | null) => ({
    ...noSize,
    instance_type: type,
    region: 'us-east-1',
    nodes,
  })
  const recommendation = exampleRecommendation({
    kind: 'cluster',
    current: of(7, 'm5.xlarge'),
    recommended: of(4, 'm5.xlarge'),
  })
  const known = record({ recommendation })
  for (const size of [of(7, 'm5.xlarge'), of(5, 'm5.xlarge'), of(4, 'm6a.xlarge'), of(4, null)])
    expect(follow(known, { size, advised: recommendation }, 1)).toBeUndefined()
  const changed = follow(known, { size: of(3, 'm5.xlarge'), advised: undefined }, 1)!
  expect(changed.applied).toMatchObject({ perMonthUsd: 30, from: 1 })
  expect(follow(changed, { size: of(4, 'm5.xlarge'), advised: undefined }, 2)).toBeUndefined()
  expect(follow(changed, { size: of(6, 'm5.xlarge'), advised: undefined }, 2)?.applied?.from).toBeNull()
})

test('what is idle is removed when it is gone', () => {
  const recommendation = exampleRecommendation({
    kind: 'idle',
    current: noSize,
    recommended: null,
    idle_days: 7,
  })
  const known = record({ recommendation })
  expect(follow(known, { size: noSize, advised: recommendation }, 1)).toBeUndefined()
  expect(follow(known, { size: undefined, advised: undefined }, 1)).toBeUndefined()
  const removed = follow(known, { size: null, advised: undefined }, 1)!
  expect(stateOf(removed, false, 1)).toBe('applied')
  expect(follow(removed, { size: noSize, advised: undefined }, 2)?.applied?.from).toBeNull()
})

test('a removal counts if it was listed until then, or accepted', () => {
  const dayMs = 86_400_000
  const isApplied = (idle_days: number, removedAt: number, more: Partial<RecommendationRecord> = {}) => {
    const recommendation = exampleRecommendation({
      kind: 'idle',
      current: noSize,
      recommended: null,
      idle_days,
    })
    return (
      follow(record({ recommendation, ...more }), { size: null, advised: undefined }, removedAt) !== undefined
    )
  }
  const accepted = { decision: decided('accepted') }
  expect(isApplied(7, 3 * dayMs)).toBe(true)
  // It was used again, and removed weeks later.
  expect(isApplied(7, 20 * dayMs)).toBe(false)
  expect(isApplied(7, 20 * dayMs, accepted)).toBe(true)
  // A preview that nobody used on its last day.
  expect(isApplied(1, 2 * dayMs)).toBe(false)
  expect(isApplied(1, 2 * dayMs, accepted)).toBe(true)
})

test.each<[string, SubjectSize | undefined, Partial<Recommendation>]>([
  ['gone', undefined, {}],
  ['resized', sizeOf(1.5, 3), {}],
  ['changed', sizeOf(2, 4), {}],
  ['used', noSize, { kind: 'idle', recommended: null }],
])('what was accepted and is no longer recommended has ended: %s', (cause, size, more) => {
  const recommendation = exampleRecommendation(more)
  const accepted = record({ recommendation, decision: decided('accepted') })
  const ended = follow(accepted, { size, advised: undefined }, 5)!
  expect(ended).toEqual({ ...accepted, ended: { at: 5, cause } })
  expect(follow(ended, { size, advised: undefined }, 6)).toBeUndefined()
  const other = follow(
    { ...ended, ended: { at: 5, cause: 'other' as 'gone' } },
    { size, advised: undefined },
    6,
  )
  expect(other?.ended).toEqual({ at: 5, cause })
  expect(follow(ended, { size, advised: recommendation }, 6)?.ended).toBeUndefined()
  for (const decision of [null, decided('dismissed')])
    expect(follow(record({ recommendation, decision }), { size, advised: undefined }, 5)).toBeUndefined()
})

test('a snooze ends', () => {
  const snoozed = record({ decision: decided('snoozed', { until: 100 }) })
  expect(stateOf(snoozed, true, 99)).toBe('snoozed')
  expect(stateOf(snoozed, true, 100)).toBe('open')
})

test.each(['accepted', 'dismissed', 'snoozed'] as const)(
  'a cut that was %s is open again if more is needed instead',
  (state) => {
    const cut = record({ decision: decided(state, { reason: 'sprint 12' }) })
    const less = exampleRecommendation({ recommended: sizeOf(0.9, 1.8) })
    expect(follow(cut, { size: undefined, advised: less }, 5)?.decision ?? cut.decision).toEqual(cut.decision)
    const more = exampleRecommendation({ recommended: sizeOf(1, 6) })
    const next = follow(cut, { size: undefined, advised: more }, 5)!
    expect([next.recommendation, stateOf(next, true, 5)]).toEqual([more, 'open'])
    const reason = `Open again because more is needed now; it was ${state} by me on 1970-01-01: sprint 12`
    expect(next.decision).toEqual({ state: 'open', reason, until: null, at: 5, by: null })
    const again = { ...next, decision: decided(state) }
    const evenMore = exampleRecommendation({ recommended: sizeOf(1, 7) })
    expect(stateOf(follow(again, { size: undefined, advised: evenMore }, 6) ?? again, true, 6)).toBe(state)
  },
)
