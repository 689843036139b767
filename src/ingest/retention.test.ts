import { expect, test } from 'vitest'
import { retentionDaysOf } from './ingest-deps.ts'

test.each([
  ['acme', 30],
  ['globex', 90],
  ['constructor', 90],
  ['__proto__', 90],
])('the usage of %s is kept for %i days', (organisation, days) => {
  expect(retentionDaysOf({ retentionDays: 90, retentionOf: { acme: 30 } }, organisation)).toBe(days)
})
