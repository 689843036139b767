import { describe, expect, test } from 'vitest'
import { gibBytes, microcores } from '../../usage/digest/digest.ts'
import type { ContainerSizes } from '../../usage/reading/pod-usage.ts'
import { NamespaceTotals, noQuota } from './totals.ts'

type Counted = Parameters<NamespaceTotals['add']>[0]
type Sizes = Partial<ContainerSizes>
type Said = Partial<Omit<Counted, 'current' | 'recommended'>> & { current?: Sizes; recommended?: Sizes }

const unset: ContainerSizes = {
  cpuRequest: undefined,
  cpuLimit: undefined,
  memoryRequest: undefined,
  memoryLimit: undefined,
}

/** A container of one replica without requests. */
const container = ({ current, recommended, ...more }: Said = {}): Counted => ({
  workload: 'Deployment/web',
  isLongRunning: true,
  current: { ...unset, ...current },
  recommended: { ...unset, ...recommended },
  replicas: { atEnd: 1, highest: 1, most: undefined },
  cpu: { mean: 0 },
  memory: { mean: 0 },
  podHours: 1,
  hasUnknownRequests: false,
  ...more,
})
const replicas = (atEnd: number, highest = atEnd, most?: number) => ({ atEnd, highest, most })
const sizes = (cpuRequest: number, cpuLimit: number, memoryRequest: number, memoryLimit: number) => ({
  cpuRequest,
  cpuLimit,
  memoryRequest,
  memoryLimit,
})

function totalsOf(containers: readonly Counted[]): NamespaceTotals {
  const totals = new NamespaceTotals()
  for (const one of containers) totals.add(one)
  return totals
}

test('sizes count once for each replica that runs at the end', () => {
  const containers = [
    container({ current: sizes(1, 2, 3, 4), recommended: sizes(0.5, 1, 2, 3), replicas: replicas(2, 5) }),
    container({ current: { cpuRequest: 1 }, recommended: { memoryLimit: 8 }, replicas: replicas(3) }),
    container({ current: sizes(9, 9, 9, 9), recommended: sizes(9, 9, 9, 9), replicas: replicas(0, 4) }),
  ]
  expect(totalsOf(containers).sizes).toEqual({ current: sizes(5, 4, 6, 8), recommended: sizes(1, 2, 4, 30) })
  expect(totalsOf([]).sizes).toEqual({ current: sizes(0, 0, 0, 0), recommended: sizes(0, 0, 0, 0) })
})

describe('a quota is the limits at the maximum number of replicas plus a quarter', () => {
  const cpu = (workload: string, cpuLimit: number, more: Said = {}) =>
    container({ workload, recommended: { cpuLimit, memoryRequest: 1 }, ...more })
  test.each<[string, Counted[], number]>([
    ['nothing', [], 0],
    ['two replicas of one, one of another', [cpu('a', 1, { replicas: replicas(1, 2) }), cpu('b', 0.5)], 2.5],
    ['containers of a pod together', [cpu('a', 1), cpu('a', 2)], 3],
    ['an init container that needs less', [cpu('a', 2), cpu('a', 1, { isLongRunning: false })], 2],
    [
      'an init container that needs more',
      [cpu('a', 2), cpu('a', 5, { isLongRunning: false }), cpu('a', 3, { isLongRunning: false })],
      5,
    ],
    [
      'an init container of the first workload only',
      [cpu('a', 5, { isLongRunning: false }), cpu('b', 1), cpu('c', 2)],
      8,
    ],
    ['an autoscaler that may add replicas', [cpu('a', 1, { replicas: replicas(1, 2, 6) })], 6],
    [
      'an autoscaler whose maximum is below the highest number of replicas',
      [cpu('a', 1, { replicas: replicas(1, 7, 6) })],
      7,
    ],
    ['a request without a limit', [container({ recommended: { cpuRequest: 3 } })], 3],
    ['a request and a limit: the limit', [container({ recommended: { cpuRequest: 3, cpuLimit: 4 } })], 4],
  ])('%s', (_, containers, cores) => {
    expect(totalsOf(containers).quotaFor(noQuota).cpu).toBe(cores * 1.25)
  })

  test('for memory likewise', () => {
    const quotaOf = (recommended: Sizes) => totalsOf([container({ recommended })]).quotaFor(noQuota).memory
    expect(quotaOf({ memoryRequest: 2 })).toBe(2.5)
    expect(quotaOf({ memoryRequest: 2, memoryLimit: 4 })).toBe(5)
    expect(quotaOf({ cpuLimit: 4 })).toBe(0)
  })

  test('a quota on requests is compared with requests', () => {
    const ofRequests = { ofRequests: { cpu: true, memory: false } }
    const sizes = { cpuRequest: 3, cpuLimit: 8, memoryRequest: 1, memoryLimit: 2 }
    const quota = totalsOf([container({ recommended: sizes })]).quotaFor(ofRequests)
    expect(quota).toEqual({ cpu: 3.75, memory: 2.5 })
  })
})

test('utilisation is weighted by the time that containers ran', () => {
  const using = (cores: number, gib: number, request: number, podHours: number) =>
    container({
      cpu: { mean: cores * microcores },
      memory: { mean: gib * gibBytes },
      recommended: { cpuRequest: request, memoryRequest: 2 * request },
      podHours,
    })
  // (1 x 10 + 0.5 x 30) of (2 x 10 + 1 x 30) core hours, and (1 x 10 + 1 x 30) of (4 x 10 + 2 x 30) GiB hours.
  expect(totalsOf([using(1, 1, 2, 10), using(0.5, 1, 1, 30)]).utilisation).toEqual({ cpu: 50, memory: 40 })
  expect(totalsOf([using(1, 1, 3, 1)]).utilisation.cpu).toBe(33.333)
  const unknown = [using(Number.NaN, Number.NaN, 1, 5), using(1, 1, 0, 5), container({ cpu: { mean: 1 } })]
  expect(totalsOf([using(1, 1, 2, 10), ...unknown]).utilisation).toEqual({ cpu: 50, memory: 25 })
  expect(totalsOf(unknown).utilisation).toEqual({ cpu: 0, memory: 0 })
})

test('spend adds up', () => {
  const totals = new NamespaceTotals()
  expect(totals.spendUsd).toBe(0)
  totals.addPriced({
    ...container({ current: { cpuRequest: 1 } }),
    currentSpend: { cpuUsd: 1, memoryUsd: 2, gpuUsd: 0 },
  })
  totals.addPriced({ ...container(), currentSpend: { cpuUsd: 4, memoryUsd: 8, gpuUsd: 0 } })
  expect([totals.spendUsd, totals.sizes.current.cpuRequest]).toEqual([15, 1])
})
