import { expect, test } from 'vitest'
import { exampleAdvice, sizeOf } from '../../advice/advice.case.ts'
import { type AdviceRecord, storedFrom } from '../../advice/followed-advice.ts'
import type { AdvisedSize } from '../../domain/recommendation.ts'
import { decideOne } from './decide.ts'

/** The state in the response if a recommendation is dismissed whose subject already had one applied. */
async function dismissedAfter(applied: AdvisedSize, recommended: AdvisedSize): Promise<string> {
  const record: AdviceRecord = {
    advice: exampleAdvice({ recommended }),
    decision: null,
    applied: { at: 1, size: applied, before: sizeOf(2, 4), perMonthUsd: 30, from: 1, totalUsd: 0 },
    version: 1,
    advisedAt: 1,
  }
  const recommendations = { find: async () => [storedFrom(record)], write: async () => [] as string[] }
  const deps = { store: { recommendations }, now: () => 2 } as unknown as Parameters<typeof decideOne>[0]
  return (await decideOne(deps, 'acme', 'a', { state: 'dismissed', reason: 'a standby' }, 'ci')).state
}

test('a decision on what is recommended after an applied size is answered with its state', async () => {
  expect(await dismissedAfter(sizeOf(1, 2), sizeOf(1, 3))).toBe('dismissed')
  expect(await dismissedAfter(sizeOf(1, 2), sizeOf(1, 2))).toBe('applied')
})
