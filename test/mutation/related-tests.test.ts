import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RelatedTests } from './related-tests.ts'

const related = new RelatedTests(join(import.meta.dirname, '../..'))

test('the test of the file itself comes first, indirect importers follow', () => {
  const tests = related.of('src/pricing/find-current.ts')
  expect(tests[0]).toBe('src/pricing/find-current.test.ts')
  expect(tests).toContain('src/pricing/price-instance.test.ts')
  expect(tests).not.toContain('src/usage/digest/digest.test.ts')
})

test('files that are started as threads count as imported', () => {
  expect(related.of('src/ingest/ingest-worker.ts')).toContain('src/ingest/ingest-thread.test.ts')
})
