import { describe, expect, test } from 'vitest'
import {
  cutLimitSlowly,
  cutOnceAWeek,
  cutRequestSlowly,
  keepBelowFloor,
  limitCoversPeak,
  type Rail,
  type RailFacts,
  raiseLimitWithCause,
  raiseOnceAWeek,
  raiseRequestWithCause,
  requestCoversPeak,
} from './rail.ts'

const facts: RailFacts = {
  resource: 'memory',
  current: { request: 4, limit: 8 },
  largest: { request: 4, limit: 8 },
  replaced: { request: undefined, limit: undefined },
  repeats: true,
  preference: {},
  peak: 2,
  reach: 0,
  keepsLimit: false,
  separatesLimit: false,
  reachHours: 14 * 24,
  cause: undefined,
}
const equal = { current: { request: 4, limit: 4 } }
const onlyLimit = { current: { request: undefined, limit: 4 } }
const noLimit = { current: { request: 4, limit: undefined } }
const unset = { current: { request: undefined, limit: undefined } }

/** The size that the rail makes of one; the same if it does not act. */
const check = (rail: Rail, rows: readonly (readonly [string, number, Partial<RailFacts>, number])[]) =>
  test.each(rows)('%s', (_, size, more, expected) => {
    const railed = rail(size, { ...facts, ...more })
    expect(railed?.size ?? size).toBeCloseTo(expected, 9)
  })

describe('a floor', () => {
  const tiny = { current: { request: 0.02, limit: undefined } }
  check(keepBelowFloor, [
    ['does not raise a smaller request', 0.09, { ...tiny, peak: 0.006 }, 0.02],
    ['gives way to usage', 0.09, { ...tiny, peak: 0.04 }, 0.046],
    ['does not hold back what usage needs', 0.2, { ...tiny, peak: 0.18 }, 0.2],
    ['applies where there is no request', 0.09, { ...unset, peak: 0.006 }, 0.09],
    ['applies to a larger request', 0.09, { peak: 0.006 }, 0.09],
  ])
})

describe('a size that was changed within a week', () => {
  const cut = { replaced: { request: 6, limit: undefined } }
  const raised = { replaced: { request: 3, limit: undefined } }
  check(cutOnceAWeek, [
    ['is not cut again', 2, cut, 4],
    ['unless the profile is cost', 2, { ...cut, preference: { profile: 'cost' } }, 2],
    ['may be cut after a raise', 2, raised, 2],
    ['of another policy is that of the policy', 2, { ...cut, preference: { policy: 'vpa' } }, 2],
    ['may be cut if it was not changed', 2, {}, 2],
    ['may be cut if usage is new', 2, { ...cut, repeats: false }, 2],
  ])
  check(raiseOnceAWeek, [
    ['is not raised again', 5, raised, 4],
    ['unless far more is needed', 7, raised, 7],
    ['unless there is a cause', 5, { ...raised, cause: 'trend' }, 5],
    ['may be raised after a cut', 5, cut, 5],
  ])
})

describe('a cut of the request', () => {
  check(cutRequestSlowly, [
    ['after a week is free', 1, {}, 1],
    ['waits for a day', 1, { reachHours: 20 }, 4],
    ['also with the profile cost', 1, { reachHours: 20, preference: { profile: 'cost' } }, 4],
    ['goes half of the way before a week', 1, { reachHours: 30 }, 2.5],
    [
      'and no further on the next day',
      1,
      { reachHours: 54, ...{ current: { request: 2.5, limit: 8 } } },
      2.5,
    ],
    ['all of it with the profile cost', 1, { reachHours: 30, preference: { profile: 'cost' } }, 1],
    ['does not raise what its owner cut', 1, { reachHours: 30, current: { request: 1.5, limit: 8 } }, 1.5],
    [
      'counts a limit without a request',
      1,
      { reachHours: 30, ...onlyLimit, largest: onlyLimit.current },
      2.5,
    ],
    ['is no raise', 5, { reachHours: 20 }, 5],
    ['is nothing without a request', 1, { reachHours: 20, ...unset }, 1],
  ])
})

describe('a cut of the limit', () => {
  check(cutLimitSlowly, [
    ['waits for a day', 3, { reachHours: 20 }, 8],
    ['goes half of the way before a week', 3, { reachHours: 30 }, 5.5],
  ])
})

describe('a raise of the request', () => {
  check(raiseRequestWithCause, [
    ['covers the peak', 5, { peak: 5 }, 5],
    ['ends 15% above the peak', 7, { peak: 5 }, 5.75],
    ['does not cut', 5, { peak: 2 }, 4],
    ['is free after a kill', 7, { peak: 5, cause: 'kills' }, 7],
    ['is free with a trend', 7, { peak: 5, cause: 'trend' }, 7],
    ['stays within the limit', 9, { peak: 9 }, 8],
    [
      'goes beyond the limit for memory that cannot be reclaimed',
      9,
      { peak: 8, cause: 'use near the limit' },
      9,
    ],
    ['covers a heap', 7, { peak: 2, reach: 6 }, 6],
    ['is nothing where nothing is set', 7, { ...unset }, 7],
    ['has no limit to stay within', 6, { ...noLimit, peak: 6 }, 6],
    ['is no raise if a limit stands for the request', 3, { ...onlyLimit, peak: 2 }, 3],
  ])
})

describe('a raise of the limit', () => {
  check(raiseLimitWithCause, [
    ['needs a cause', 9, {}, 8],
    ['has one after throttling', 9, { cause: 'throttling' }, 9],
  ])
})

describe('a limit', () => {
  check(limitCoversPeak, [
    ['is not cut below the peak plus 15%', 2, {}, 2.3],
    ['is not raised to it', 2, { peak: 20 }, 8],
    ['covers a heap', 2, { reach: 5 }, 5],
    ['that answered a kill stays', 2, { keepsLimit: true }, 8],
    ['of CPU is not cut below a tenth of a core', 0.02, { resource: 'cpu', peak: 0.01 }, 0.1],
    [
      'of CPU that is smaller stays',
      0.02,
      { resource: 'cpu', peak: 0.01, current: { request: 0.01, limit: 0.05 } },
      0.05,
    ],
  ])
  check(requestCoversPeak, [
    ['that equals the request holds the request', 1, equal, 2.3],
    ['without a request does as well', 1, onlyLimit, 2.3],
    ['above the request does not', 1, {}, 1],
  ])
})
