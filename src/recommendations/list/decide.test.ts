import { expect, test } from 'vitest'
import type { StoredRecommendation } from '../../store/port-recommendations.ts'
import { decideOne } from './decide.ts'
import {
  decisionTag,
  type RecommendationRecord,
  recordFrom,
  storedFrom,
} from './rows/followed-recommendation.ts'
import { exampleRecommendation, sizeOf } from './rows/recommendation.case.ts'
import type { SubjectSize } from './schema.ts'

/** The state in the response if a recommendation is dismissed whose subject already had one applied. */
async function dismissedAfter(applied: SubjectSize, recommended: SubjectSize): Promise<string> {
  const record: RecommendationRecord = {
    recommendation: exampleRecommendation({ recommended }),
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

test('a decision that someone else makes between the check and the write is not replaced', async () => {
  const record: RecommendationRecord = {
    recommendation: exampleRecommendation(),
    decision: null,
    applied: null,
    version: 1,
    advisedAt: 1,
  }
  const theirs = { state: 'accepted', reason: 'sprint 12', until: null, at: 1, by: 'their key' } as const
  let stored = record
  const write = async (_: string, [row]: readonly StoredRecommendation[]) => {
    if (row!.version === stored.version) stored = recordFrom({ ...row!, version: row!.version + 1 })
    else return [row!.id]
    return []
  }
  let reads = 0
  const find = async () => {
    const read = storedFrom(stored)
    if (++reads === 1) stored = { ...record, decision: theirs, version: 2 }
    return [read]
  }
  const deps = { store: { recommendations: { find, write } }, now: () => 2 } as unknown as Parameters<
    typeof decideOne
  >[0]
  const mine = { state: 'dismissed', reason: 'a standby' } as const
  const isExpected = (etag: string) => etag === decisionTag(null)
  await expect(decideOne(deps, 'acme', 'a', mine, 'ci', isExpected)).rejects.toMatchObject({
    code: 'precondition-failed',
    message:
      'The key "their key" has accepted this recommendation at 1970-01-01T00:00:00.001Z, with the reason: sprint 12. Nothing was changed.',
    extra: { current: { state: 'accepted', state_changed_by: 'their key', etag: decisionTag(theirs) } },
  })
  expect([stored.decision, reads]).toEqual([theirs, 2])
  expect((await decideOne(deps, 'acme', 'a', mine, 'ci')).state).toBe('dismissed')
})

test('a team that decides on the same recommendation at once is not refused', async () => {
  let stored = storedFrom({
    recommendation: exampleRecommendation(),
    decision: null,
    applied: null,
    version: 1,
    advisedAt: 1,
  })
  const write = async (_: string, [row]: readonly StoredRecommendation[]) => {
    if (row!.version !== stored.version) return [row!.id]
    stored = { ...row!, version: stored.version + 1 }
    return []
  }
  const recommendations = { find: async () => [stored], write }
  const deps = { store: { recommendations }, now: () => 2 } as unknown as Parameters<typeof decideOne>[0]
  const team = Array.from({ length: 20 }, (_, index) => `key ${index}`)
  const views = await Promise.all(team.map((by) => decideOne(deps, 'acme', 'a', { state: 'accepted' }, by)))
  expect(views.map((view) => view.state_changed_by)).toEqual(team)
  expect(stored.version).toBe(21)
})
