import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstHour, podOf, type SyntheticPod } from '../../usage/reading/pods.case.ts'
import { HourColumns } from './hour-columns.ts'
import { anyPodSizes, anySize, at, gpuPrice, price } from './node-price.case.ts'
import { NodeLoads, shareWithinPrice } from './nodes.ts'
import {
  addLoads,
  addRequestChange,
  addUnitUsd,
  allocateSpend,
  currentRequests,
  type RequestOverrides,
  usdOf,
} from './spend.ts'

function check(
  pods: readonly SyntheticPod[],
  requests: RequestOverrides = currentRequests,
  prices = at(price),
) {
  const used = pods.map((pod) => podOf(pod))
  const loads = new NodeLoads()
  for (const { use } of used) addLoads(loads, use)
  addRequestChange(loads, used, requests)
  return usdOf(allocateSpend(used, requests, prices, (node) => loads.columnsOf(node)))
}

describe('spend is max(request, mean usage) x price', () => {
  test.each<[string, SyntheticPod, number]>([
    ['request', { hours: 3, cores: 0.1, gib: 0.1, cpuRequest: 2, memoryRequest: 4 }, 3 * (0.06 + 0.016)],
    ['usage above it', { hours: 3, cores: 3, gib: 8, cpuRequest: 2, memoryRequest: 4 }, 3 * (0.09 + 0.032)],
    ['no request', { hours: 2, cores: 0.5, gib: 1 }, 2 * (0.015 + 0.004)],
    ['a quarter of an hour', { hours: 1, seconds: 900, cpuRequest: 2, memoryRequest: 4 }, 0.25 * 0.076],
    [
      'node unknown: base rates',
      { hours: 1, node: null, cpuRequest: 2, memoryRequest: 4 },
      0.063222 + 0.016948,
    ],
    ['more than the node', { hours: 5, cpuRequest: 64, memoryRequest: 4 }, 5 * 0.184],
  ])('%s', (_, pod, usd) => {
    expect(check([pod])).toBeCloseTo(usd, 6)
  })

  test('with other requests', () => {
    const pod = { hours: 10, cores: 0.2, gib: 0.5, cpuRequest: 2, memoryRequest: 4 }
    expect(check([pod], { cpu: 0.3, memory: 1 })).toBeCloseTo(10 * (0.009 + 0.004), 6)
    expect(check([pod], { cpu: 0.1, memory: undefined })).toBeCloseTo(10 * (0.006 + 0.016), 6)
  })

  test('a node of unknown size does not limit spend', () => {
    const pod = { hours: 1, cpuRequest: 64, memoryRequest: 0.1, gib: 0 }
    expect(check([pod], currentRequests, at({ ...price, perHourUsd: null }))).toBeCloseTo(1.92 + 0.0004, 6)
  })
})

test('requested GPUs cost their price while the pod runs, whatever its other requests are', () => {
  const pod = { hours: 4, cores: 0.1, gib: 0.1, cpuRequest: 2, memoryRequest: 4, gpus: 1 }
  expect(check([pod], currentRequests, at(gpuPrice))).toBeCloseTo(4 * (0.076 + 0.5), 9)
  expect(check([pod], { cpu: 1, memory: 1 }, at(gpuPrice))).toBeCloseTo(4 * (0.03 + 0.004 + 0.5), 9)
  expect(check([{ ...pod, seconds: 900 }], currentRequests, at(gpuPrice))).toBeCloseTo(0.076 + 0.5, 9)
  // The price of its GPUs is not known, or it has none.
  expect(check([pod])).toBeCloseTo(4 * 0.076, 9)
  const spend = allocateSpend([podOf(pod)], currentRequests, at(gpuPrice), undefined)
  expect(spend.gpuUsd).toBeCloseTo(2, 9)
  expect(spend.estimatedUsd).toBeUndefined()
  const estimate = at({ ...gpuPrice, source: 'base' })
  const estimated = allocateSpend([podOf(pod)], currentRequests, estimate, undefined)
  expect(estimated.estimatedUsd).toBeCloseTo(4 * 0.576, 9)
})

test('a core and a GiB cost their price for each hour that a pod ran', () => {
  const units = { cpu: 1, memory: 1 }
  addUnitUsd(units, podOf({ hours: 3, seconds: 900 }), at(price))
  expect(units.cpu).toBeCloseTo(1 + 3 * 0.25 * 0.03, 9)
  expect(units.memory).toBeCloseTo(1 + 3 * 0.25 * 0.004, 9)
})

test('pods on an overcommitted node share its price', () => {
  const [pod, other] = [
    podOf({ hours: 1, cpuRequest: 4, memoryRequest: 16 }),
    podOf({ hours: 1, cpuRequest: 12, memoryRequest: 48 }),
  ]
  const loads = new NodeLoads()
  for (const { use } of [pod, other]) addLoads(loads, use)
  const spend = allocateSpend([pod], currentRequests, at(price), (node) => loads.columnsOf(node))
  expect(usdOf(spend)).toBeCloseTo(0.184 / 4, 9)
  expect(spend.cpuUsd / spend.memoryUsd).toBeCloseTo(0.12 / 0.064, 9)
  // Without loads, overfull nodes are not checked.
  expect(usdOf(allocateSpend([pod, other], currentRequests, at(price), undefined))).toBeCloseTo(4 * 0.184, 9)
  // With smaller requests everything fits, and each pays for what it occupies.
  const requests = { cpu: 1, memory: 4 }
  addRequestChange(loads, [pod, other], requests)
  expect(loads.at('n1', firstHour)).toEqual({ cores: expect.closeTo(2, 9), gib: expect.closeTo(8, 9) })
  expect(usdOf(allocateSpend([pod], requests, at(price), (node) => loads.columnsOf(node)))).toBeCloseTo(
    0.184 / 4,
    9,
  )
})

test('spend on a node never exceeds its price, with current and with other requests', () => {
  const pod = fc.record({
    ...anyPodSizes,
    node: fc.constantFrom('n1', 'n2'),
    hours: fc.integer({ min: 1, max: 3 }),
  })
  const requests = fc.record({
    cpu: fc.option(anySize, { nil: undefined }),
    memory: fc.option(anySize, { nil: undefined }),
  })
  fc.assert(
    fc.property(fc.array(pod, { minLength: 1, maxLength: 6 }), requests, (pods, changed) => {
      const nodeHours = new Set(
        pods.flatMap(({ node, hours }) => Array.from({ length: hours }, (_, hour) => `${node} ${hour}`)),
      )
      expect(check(pods, changed)).toBeLessThanOrEqual(nodeHours.size * 0.184 * (1 + 1e-9))
      const withGpus = check(pods, changed, at(gpuPrice))
      expect(withGpus).toBeLessThanOrEqual(nodeHours.size * 1.184 * (1 + 1e-9))
    }),
  )
})

test('loads are returned by node and hour, in any order of adding', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(fc.constantFrom('a', 'b'), fc.integer({ min: 0, max: 90 }), fc.integer({ max: 9, min: 0 })),
      ),
      (added) => {
        const loads = new NodeLoads()
        const twin = new Map<string, number>()
        for (const [node, hour, cores] of added) {
          loads.from(node, firstHour + hour).add(firstHour + hour, cores, 1)
          twin.set(`${node} ${hour}`, (twin.get(`${node} ${hour}`) ?? 0) + cores)
        }
        const rest = loads.without(firstHour + 10, firstHour + 20)
        for (const node of ['a', 'b', 'none'])
          for (let hour = -2; hour < 95; hour++) {
            const cores = twin.get(`${node} ${hour}`) ?? 0
            expect(loads.at(node, firstHour + hour).cores).toBe(cores)
            expect(rest.at(node, firstHour + hour).cores).toBe(hour >= 10 && hour < 20 ? 0 : cores)
          }
      },
    ),
  )
})

test('requests that fit the node count in full', () => {
  const share = (cores: number, gib: number) => {
    const loads = new HourColumns(firstHour)
    loads.add(firstHour, cores, gib)
    return shareWithinPrice(price, loads, 0)
  }
  expect(share(4, 16)).toBe(1)
  expect(share(8, 32)).toBeCloseTo(0.5, 12)
})
