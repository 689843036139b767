import { expect, test } from 'vitest'
import type { Advice, DecidableState } from '../domain/recommendation.ts'
import { exampleAdvice, sizeOf } from './advice.case.ts'
import type { AdviceRecord } from './followed-advice.ts'
import { showAdvice } from './shown-advice.ts'

/** Shows a recommendation that has changed since somebody decided on it. */
function shownAfter(state: DecidableState, decidedOn: Advice, latest: Advice) {
  const decision = { state, reason: null, until: null, at: 1, by: 'ci' }
  const record: AdviceRecord = { advice: decidedOn, decision, applied: null, version: 1, advisedAt: 1 }
  return showAdvice([{ advice: latest, worth: 7.0004, coveredBy: null }], new Map([['a', record]]), 2)[0]!
}

const latest = exampleAdvice({ recommended: sizeOf(1, 3), worth_per_month: 7 })

test('an accepted recommendation is shown as it was accepted, like its patch', () => {
  const accepted = exampleAdvice()
  expect(shownAfter('accepted', accepted, latest)).toMatchObject({ advice: accepted, worth: 30 })
  expect(shownAfter('dismissed', accepted, latest)).toMatchObject({ advice: latest, worth: 7.0004 })
})

test('an accepted removal shows for how long the workload is idle', () => {
  const idle = (days: number) => exampleAdvice({ kind: 'idle', recommended: null, idle_days: days })
  expect(shownAfter('accepted', idle(8), idle(9)).advice.idle_days).toBe(9)
})
