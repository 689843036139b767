import { expect, test } from 'vitest'
import { maxPatched } from '../../src/recommendations/list/export-patches.ts'
import { patchParts } from './patch-parts.ts'

test('more recommendations than one request accepts are divided, and a workload stays whole', () => {
  const recommendation = Array.from({ length: 1000 }, (_, at) => ({
    namespace: 'shop',
    workload: `Deployment/w${at % 300}`,
  }))
  const parts = patchParts(recommendation)
  expect(parts.map(({ length }) => length <= maxPatched)).toEqual([true, true, true])
  expect(parts.flat()).toHaveLength(recommendation.length)
  const workloads = parts.flatMap((part) => [...new Set(part.map(({ workload }) => workload))])
  expect(workloads).toHaveLength(300)
})

test('few recommendations are one request', () => {
  expect(patchParts([{ namespace: 'shop', workload: 'Deployment/web' }])).toHaveLength(1)
})
