import { expect, test } from 'vitest'
import { oldestLoad } from './loaded-at.ts'

const query = (dataUpdatedAt: number) => ({ state: { dataUpdatedAt } })

test.each([
  [[], undefined],
  [[0, 0], undefined],
  [[0, 300, 200], 200],
])('data of %j was loaded at %j', (times, loadedAt) => {
  expect(oldestLoad(times.map(query))).toBe(loadedAt)
})
