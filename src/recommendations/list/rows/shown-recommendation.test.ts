import { expect, test } from 'vitest'
import type { DecidableState } from '../../../domain/recommendation.ts'
import type { Recommendation } from '../schema.ts'
import type { RecommendationRecord } from './followed-recommendation.ts'
import { exampleRecommendation, sizeOf } from './recommendation.case.ts'
import { showRecommendations, viewRecommendation } from './shown-recommendation.ts'

/** Shows a recommendation that has changed since somebody decided on it. */
function shownAfter(state: DecidableState, decidedOn: Recommendation, latest: Recommendation) {
  const decision = { state, reason: null, until: null, at: 1, by: 'ci' }
  const record: RecommendationRecord = {
    recommendation: decidedOn,
    decision,
    applied: null,
    version: 1,
    advisedAt: 1,
  }
  return showRecommendations(
    [{ recommendation: latest, worth: 7.0004, coveredBy: null }],
    new Map([['a', record]]),
    2,
  )[0]!
}

const latest = exampleRecommendation({ recommended: sizeOf(1, 3), worth_per_month: 7 })

test('an accepted recommendation is shown as it was accepted, like its patch', () => {
  const accepted = exampleRecommendation()
  expect(shownAfter('accepted', accepted, latest)).toMatchObject({ recommendation: accepted, worth: 30 })
  expect(shownAfter('dismissed', accepted, latest)).toMatchObject({ recommendation: latest, worth: 7.0004 })
})

test('an accepted removal shows for how long the workload is idle', () => {
  const idle = (days: number) => exampleRecommendation({ kind: 'idle', recommended: null, idle_days: days })
  expect(shownAfter('accepted', idle(8), idle(9)).recommendation.idle_days).toBe(9)
})

test('what was accepted and is no longer recommended stays in the list, saves nothing and says why', () => {
  const decision = { state: 'accepted', reason: null, until: null, at: 1, by: 'ci' } as const
  const accepted: RecommendationRecord = {
    recommendation: exampleRecommendation({ reasons: ['Uses little'] }),
    decision,
    applied: null,
    version: 1,
    advisedAt: 1,
  }
  const view = (record: RecommendationRecord) => {
    const [row, ...others] = showRecommendations([], new Map([['a', record]]), 9)
    expect([row?.worth, others]).toEqual([0, []])
    return viewRecommendation(row!.decidedOn!, row!.state, row!.record, 9, row!.isRecommended)
  }
  expect(view({ ...accepted, ended: { at: 5, cause: 'used' } })).toMatchObject({
    state: 'accepted',
    state_changed_by: 'ci',
    outdated_since: '1970-01-01T00:00:00.005Z',
    worth_per_month: 0,
    reasons: ['No longer recommended since 1970-01-01: it is used again.', 'Uses little'],
  })
  // It was accepted after the list was computed that no longer had it.
  expect(view(accepted).outdated_since).toBe('1970-01-01T00:00:00.001Z')
  const dismissed = { ...accepted, decision: { ...decision, state: 'dismissed' } } as const
  expect(showRecommendations([], new Map([['a', dismissed]]), 9)).toEqual([])
})
