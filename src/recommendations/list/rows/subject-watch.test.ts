import { expect, test } from 'vitest'
import type { RecommendationRecord } from './followed-recommendation.ts'
import { exampleRecommendation, sizeOf } from './recommendation.case.ts'
import { noSize } from './recommendation-row.ts'
import { SubjectWatch } from './subject-watch.ts'

const recordOf = (more: Parameters<typeof exampleRecommendation>[0]): RecommendationRecord => ({
  recommendation: exampleRecommendation(more),
  decision: null,
  applied: null,
  version: 1,
  advisedAt: 0,
})
const container = recordOf({ id: 'container' })
const idle = recordOf({ id: 'idle', kind: 'idle', recommended: null })
const records = new Map([container, idle].map((record) => [record.recommendation.id, record]))

test('sizes of what was recommended before are noted', () => {
  const watch = new SubjectWatch(records)
  expect(watch.sizeOf(container)).toBeUndefined()
  watch.see('container', sizeOf(1, 2))
  expect(watch.sizeOf(container)).toEqual(sizeOf(1, 2))
})

test.each<[string, [id: string, cluster: string, lastHour: number][], object | null | undefined]>([
  ['unknown while its cluster is silent', [['other', 'test', 500]], undefined],
  [
    'there while it is seen',
    [
      ['idle', 'prod', 500],
      ['other', 'prod', 500],
    ],
    noSize,
  ],
  [
    'unknown for a day after',
    [
      ['idle', 'prod', 476],
      ['other', 'prod', 500],
    ],
    undefined,
  ],
  [
    'gone a day later',
    [
      ['idle', 'prod', 475],
      ['other', 'prod', 500],
    ],
    null,
  ],
  ['gone if only others are seen', [['other', 'prod', 500]], null],
  ['there while nothing of its cluster is newer', [['idle', 'prod', 400]], noSize],
])('an idle workload is %s', (_, seen, size) => {
  const watch = new SubjectWatch(records)
  for (const [id, cluster, lastHour] of seen) watch.seeWorkload(id, cluster, lastHour)
  expect(watch.sizeOf(idle)).toEqual(size)
})

test('a volume is gone once others of its cluster are listed', () => {
  const record = recordOf(exampleRecommendation({ id: 'v', kind: 'volume' }))
  const watch = new SubjectWatch(new Map([['v', record]]))
  expect(watch.sizeOf(record)).toBeUndefined()
  watch.seeVolume('other', 'prod', noSize)
  expect(watch.sizeOf(record)).toBeNull()
  watch.seeVolume('v', 'prod', { ...noSize, instance_type: 'gp2' })
  expect(watch.sizeOf(record)).toMatchObject({ instance_type: 'gp2' })
})
