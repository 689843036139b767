import { expect, test } from 'vitest'
import type { NamespaceRecommendation } from '../../recommendations/containers/schema.ts'
import { renderNamespaces } from './namespaces.ts'

const sizes = (cores: number | null) => ({
  CPU: { Requests: { Current: 1, Recommended: cores } },
  Memory: { Requests: { Current: 1, Recommended: cores === null ? null : 1 } },
  NewSpend: 1,
  CurrentSpend: 1,
  Confidence: 0.5,
})

const namespace = (...recommended: (number | null)[]): NamespaceRecommendation =>
  ({
    Cluster: 'c1',
    Namespace: 'shop',
    ContainerRecommendations: Object.fromEntries(recommended.map((cores, i) => [`c${i}`, sizes(cores)])),
    CurrentUtilisationPercent: { cpu: 0, memory: 0 },
    TotalCPURequests: 0,
    TotalMemoryRequests: 1,
    MonthlyCurrentSpend: 1,
    MonthlyNewSpend: 1,
    MonthlySavings: 0,
    EstimatedSpend: 0,
  }) as unknown as NamespaceRecommendation

const without = (count: string) => `${count} no recommended size, for which at least 6 hours`

test('containers without a recommended size are counted, and not reported as right', () => {
  const [none, some, all, right] = [[null], [null, null, 1], [null, 0.5], [1]].map((recommended) =>
    renderNamespaces([namespace(...recommended)]),
  )
  expect(none).toContain(without('1 container has'))
  expect(none).not.toContain('should change')
  expect(some).toContain('No other container should change.')
  expect(some).toContain(without('2 containers have'))
  expect(all).toContain('1 container should change:')
  expect(all).toContain(without('1 container has'))
  expect(right).toContain('No container should change.')
  expect(right).not.toContain('no recommended size')
})

test('containers with unknown requests are sized by themselves, and need no change', () => {
  const [api] = Object.values(namespace(0.5).ContainerRecommendations)
  const requests = { ...api!.CPU.Requests, Current: null }
  const unknown = { ...api!, RequestsUnknown: true, CPU: { ...api!.CPU, Requests: requests } }
  const text = renderNamespaces([{ ...namespace(), ContainerRecommendations: { api: unknown } }])
  expect(text).not.toContain('should change')
  expect(text).toMatch(
    /Sizes of 1 container with unknown requests, in no total:\n.*\nshop +api +unknown -> 500m/,
  )
})

test('usage has no share of requests that do not exist', () => {
  expect(renderNamespaces([namespace(1)])).toMatch(/^c1 +shop .* - +0\.0%$/m)
})
