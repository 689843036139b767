import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstHour, podOf, type SyntheticPod } from '../../usage/reading/pods.case.ts'
import { addCosts, addIdle, CostColumns } from './cost-columns.ts'
import { HourColumns } from './hour-columns.ts'
import { anyPodSizes, at, gpuPrice, price } from './node-price.case.ts'
import { NodeLoads } from './nodes.ts'
import { addLoads, allocateSpend, currentRequests } from './spend.ts'
import { type StepName, TimeSteps } from './time-steps.ts'

function check(pods: readonly SyntheticPod[], hours: number, step: StepName, prices = at(price)) {
  const range = { from: firstHour, to: firstHour + hours }
  const used = pods.map((pod) => podOf(pod, range))
  const loads = new NodeLoads()
  for (const { use } of used) addLoads(loads, use)
  const steps = new TimeSteps(range, step)
  const columns = new CostColumns(steps.count)
  for (const pod of used)
    addCosts(
      () => columns,
      pod,
      steps,
      prices,
      (node) => loads.columnsOf(node),
    )
  for (const [node, hoursOfNode] of loads.entries())
    addIdle(columns, hoursOfNode, prices.priceOf('c', node), steps, range, range.to * 3600 - 60)
  return { columns, used, loads, prices }
}

describe('costs computed by hand', () => {
  test('two days', () => {
    // 2 cores and 4 GiB for 36 hours: 24 x (0.06 + 0.016), then 12 x the same.
    const pod = { hours: 36, cores: 0.5, gib: 1, cpuRequest: 2, memoryRequest: 4 }
    const { columns } = check([pod], 48, 'day')
    expect([...columns.cpuUsd].map(Math.fround)).toEqual([1.44, 0.72].map(Math.fround))
    expect(columns.memoryUsd[0]).toBeCloseTo(0.384, 9)
    expect([...columns.requestedCoreHours]).toEqual([48, 24])
    expect([...columns.usedCoreHours]).toEqual([12, 6])
    expect([...columns.requestedGibHours]).toEqual([96, 48])
    expect([...columns.usedGibHours]).toEqual([24, 12])
    // 24 x (0.184 - 0.076), and nothing for the hours in which the node was empty.
    expect(columns.idleUsd[0]).toBeCloseTo(2.592, 9)
    expect(columns.idleUsd[1]).toBeCloseTo(1.296, 9)
    expect([...columns.estimatedUsd, ...columns.estimatedIdleUsd]).toEqual([0, 0, 0, 0])
  })

  test('without a known price all costs are estimates', () => {
    const { columns } = check([{ hours: 1, node: null, cpuRequest: 2, memoryRequest: 4 }], 1, 'hour')
    expect(columns.estimatedUsd[0]).toBeCloseTo(0.063222 + 0.016948, 9)
  })

  test('GPUs are charged to the pods that request them, and are idle otherwise', () => {
    const pod = { hours: 2, cpuRequest: 2, memoryRequest: 4, gpus: 1 }
    const { columns } = check([pod], 4, 'hour', at(gpuPrice))
    expect([...columns.gpuUsd]).toEqual([0.5, 0.5, 0, 0])
    expect([...columns.requestedGpuHours]).toEqual([1, 1, 0, 0])
    // 1.184 - 0.076 - 0.5
    expect(columns.idleUsd[0]).toBeCloseTo(0.608, 9)
    const both = check([pod, { ...pod, pod: 'web-2', cpuRequest: 0.1 }], 2, 'hour', at(gpuPrice))
    expect(both.columns.gpuUsd[0]).toBeCloseTo(1, 9)
  })

  test('a node that was overfull for some minutes costs these minutes', () => {
    // 16 cores and 64 GiB are four such nodes.
    const { columns } = check([{ hours: 1, seconds: 660, cpuRequest: 16, memoryRequest: 64 }], 1, 'hour')
    expect(columns.cpuUsd[0]! + columns.memoryUsd[0]!).toBeCloseTo((0.184 * 660) / 3600, 9)
    expect(columns.idleUsd[0]).toBeCloseTo(0, 9)
  })

  test('a full node has no idle cost', () => {
    const { columns } = check([{ hours: 1, cpuRequest: 64, memoryRequest: 4 }], 1, 'hour')
    expect(columns.cpuUsd[0]! + columns.memoryUsd[0]!).toBeCloseTo(0.184, 9)
    expect(columns.idleUsd[0]).toBe(0)
  })
})

test('a node costs nothing before its first pod and after its last', () => {
  const pod = { hours: 1, cpuRequest: 2, memoryRequest: 4 }
  const last = { ...pod, pod: 'web-2', from: firstHour + 1, seconds: 660 }
  const { columns } = check([pod, last], 3, 'hour')
  expect(columns.idleUsd[0]).toBeCloseTo(0.184 - 0.076, 9)
  expect(columns.idleUsd[1]).toBeCloseTo(((0.184 - 0.076) * 660) / 3600, 9)
  expect(columns.idleUsd[2]).toBe(0)
  // Ten minutes less could be the time between two samples.
  const nearly = check([{ ...pod, seconds: 3000 }], 1, 'hour')
  expect(nearly.columns.idleUsd[0]).toBeCloseTo(0.184 - (0.076 * 3000) / 3600, 9)
})

test.each([
  ['a whole hour', 3590, 3550, 3600, 3600],
  ['the second half', 1800, 3550, 3600, 1800],
  ['the first minutes', 3600, 300, 3600, 300],
  ['running in the latest hour', 3600, 2300, 2400, 2400],
  ['started in the latest hour', 1800, 2300, 2400, 600],
  ['ended in the latest hour', 3600, 300, 2400, 300],
  ['not known', 0, 0, 2400, 2400],
])('presence of a node: %s', (_, left, last, end, seconds) => {
  const columns = new HourColumns(firstHour)
  columns.add(firstHour, 1, 1)
  columns.extend(firstHour, left, last)
  expect(columns.presenceAt(0, end)).toBeCloseTo(seconds / 3600, 9)
})

test('a gap in the samples at the end of an hour does not end a node', () => {
  const { use } = podOf({ hours: 1 })
  use.lasts[0] = 2400
  const loads = new NodeLoads()
  addLoads(loads, use)
  expect(loads.columnsOf('n1')!.presenceAt(0)).toBe(1)
})

test('an hour that has not ended costs its elapsed part', () => {
  const range = { from: firstHour, to: firstHour + 1 }
  const { use } = podOf({ hours: 1, seconds: 1800, cpuRequest: 2, memoryRequest: 4 })
  const loads = new NodeLoads()
  addLoads(loads, use)
  const columns = new CostColumns(1)
  addIdle(
    columns,
    loads.columnsOf('n1')!,
    price,
    new TimeSteps(range, 'hour'),
    range,
    firstHour * 3600 + 1800,
  )
  // Half of 0.184 less half of 0.076.
  expect(columns.idleUsd[0]).toBeCloseTo(0.054, 9)
  expect(columns.estimatedIdleUsd[0]).toBe(0)
  const guessed = { ...price, source: 'base' } as const
  addIdle(
    columns,
    loads.columnsOf('n1')!,
    guessed,
    new TimeSteps(range, 'hour'),
    range,
    firstHour * 3600 + 1800,
  )
  expect(columns.estimatedIdleUsd[0]).toBeCloseTo(0.054, 9)
})

test('steps of any length add up to the spend of the window', () => {
  const pod = fc.record({
    ...anyPodSizes,
    node: fc.constantFrom('n1', 'n2', null),
    from: fc.integer({ min: firstHour, max: firstHour + 100 }),
    hours: fc.integer({ min: 1, max: 40 }),
    seconds: fc.constantFrom(600, 3600),
  })
  const step = fc.constantFrom<StepName>('hour', 'day', 'week')
  fc.assert(
    fc.property(fc.array(pod, { minLength: 1, maxLength: 5 }), step, (pods, name) => {
      const { columns, used, loads, prices } = check(pods, 200, name, at(gpuPrice))
      const spent = allocateSpend(used, currentRequests, prices, (node) => loads.columnsOf(node))
      const sum = (column: Float64Array) => column.reduce((all, one) => all + one, 0)
      expect(sum(columns.cpuUsd)).toBeCloseTo(spent.cpuUsd, 6)
      expect(sum(columns.memoryUsd)).toBeCloseTo(spent.memoryUsd, 6)
      expect(sum(columns.gpuUsd)).toBeCloseTo(spent.gpuUsd, 6)
    }),
  )
})

describe('steps of a window', () => {
  const hourOf = (time: string) => Date.parse(time) / 3_600_000
  const window = { from: hourOf('2026-11-04T22:00Z'), to: hourOf('2026-11-10T02:00Z') }
  test.each<[StepName, string[]]>([
    [
      'day',
      ['2026-11-04T22', '2026-11-05', '2026-11-06', '2026-11-07', '2026-11-08', '2026-11-09', '2026-11-10'],
    ],
    // 9 November 2026 is a Monday.
    ['week', ['2026-11-04T22', '2026-11-09']],
    ['month', ['2026-11-04T22']],
  ])('%s', (name, starts) => {
    const steps = new TimeSteps(window, name)
    const ranges = Array.from({ length: steps.count }, (_, index) => steps.rangeAt(index))
    expect(ranges.map(({ from }) => from)).toEqual(
      starts.map((start) => hourOf(start.includes('T') ? `${start}:00Z` : `${start}T00:00Z`)),
    )
    expect(ranges.at(-1)!.to).toBe(window.to)
    for (let hour = window.from; hour < window.to; hour++) {
      const { from, to } = ranges[steps.indexOf(hour)]!
      expect(hour >= from && hour < to).toBe(true)
    }
  })

  test('months are as long as the calendar says', () => {
    const steps = new TimeSteps(
      { from: hourOf('2027-12-31T23:00Z'), to: hourOf('2028-03-01T01:00Z') },
      'month',
    )
    const ranges = Array.from({ length: steps.count }, (_, index) => steps.rangeAt(index))
    expect(ranges.map(({ from, to }) => to - from)).toEqual([1, 31 * 24, 29 * 24, 1])
    expect(
      ['2027-12-31T23:00Z', '2028-01-31T23:00Z', '2028-02-29T23:00Z', '2028-03-01T00:00Z'].map((time) =>
        steps.indexOf(hourOf(time)),
      ),
    ).toEqual([0, 1, 2, 3])
  })
})

test('each hour has the price that was in force', () => {
  const pod = { hours: 48, cpuRequest: 2, memoryRequest: 4 }
  const dearer = { ...price, corePerHourUsd: 0.06, perHourUsd: 0.304 }
  const prices = {
    priceOf: () => dearer,
    earlierOf: () => [{ untilHour: firstHour + 24, price }],
  }
  const { columns, used, loads } = check([pod], 48, 'day', prices)
  expect(columns.cpuUsd[0]).toBeCloseTo(24 * 0.06, 9)
  expect(columns.cpuUsd[1]).toBeCloseTo(24 * 0.12, 9)
  expect(columns.idleUsd[1]).toBeCloseTo(24 * (0.304 - 0.136), 9)
  const spent = allocateSpend(used, currentRequests, prices, (node) => loads.columnsOf(node))
  expect(spent.cpuUsd).toBeCloseTo(24 * 0.18, 9)
})
