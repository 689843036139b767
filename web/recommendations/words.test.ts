import { expect, test } from 'vitest'
import { adviceDays } from '../../src/operations/list-recommendations/collect-advice.ts'
import { advicePeriod } from './words.ts'

test('the period of recommendations is the one of the service', () => {
  expect(advicePeriod).toBe(`last ${adviceDays} days`)
})
