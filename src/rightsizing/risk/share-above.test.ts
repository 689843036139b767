import { expect, test } from 'vitest'
import type { ResourceEvidence } from '../sizing-evidence.ts'
import { shareAbove } from './share-above.ts'

const usage = { p50: 1, p95: 2, p99: 3, p995: 3, p999: 5, peak14: 6 } as ResourceEvidence

test.each([
  [0.5, 0.5],
  [1.5, Math.sqrt(0.5 * 0.05)],
  [2, 0.05],
  [3, 0.005],
  [5.999, 0.0001],
  [6, 0],
  [9, 0],
])('usage is above %d for a share of %d', (size, share) => {
  expect(shareAbove(usage, size)).toBeCloseTo(share, 5)
})
