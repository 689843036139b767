import { expect, test } from 'vitest'
import { Away, Refused } from '../api/problem.ts'
import { isNotRenewed, oldestLoad } from './loaded-at.ts'

const query = (dataUpdatedAt: number, error: Error | null = null, fetchMore?: object) => ({
  state: { dataUpdatedAt, error, fetchMeta: fetchMore === undefined ? null : { fetchMore } },
})
const refused = new Refused(500, {})

test.each([
  [[], undefined],
  [[0, 0], undefined],
  [[0, 300, 200], 200],
])('data of %j was loaded at %j', (times, loadedAt) => {
  expect(oldestLoad(times.map((time) => query(time)))).toBe(loadedAt)
})

test.each([
  ['renewed', query(300), false],
  ['never loaded', query(0, refused), false],
  ['old, because the service failed', query(300, refused), true],
  ['old, because the service is away', query(300, new Away()), false],
  ['complete except for more rows', query(300, refused, { direction: 'forward' }), false],
])('data that is %s', (_, of, isOld) => {
  expect(isNotRenewed(of)).toBe(isOld)
})
