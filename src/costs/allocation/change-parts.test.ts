import fc from 'fast-check'
import { expect, test } from 'vitest'
import { round } from '../../domain/money.ts'
import { firstHour, podOf, type SyntheticPod } from '../../usage/reading/pods.case.ts'
import { type ChangeQuery, viewChange } from '../report/explain-change.ts'
import { PeriodCosts } from './change-parts.ts'
import { anyPodSizes, price } from './node-price.case.ts'
import { NodeLoads, type NodePrice } from './nodes.ts'
import { nothingShared } from './share-costs.ts'
import { addLoads } from './spend.ts'
import { TimeSteps } from './time-steps.ts'

const windowAt = (from: number) => {
  const hours = { from, to: from + 24 }
  const [startMs, endMs] = [from * 3_600_000, (from + 24) * 3_600_000]
  return { startMs, endMs, hours, steps: new TimeSteps(hours, 'month') }
}
const [before, now] = [windowAt(firstHour), windowAt(firstHour + 24)]
const query: ChangeQuery = {
  now,
  before,
  groupBy: 'workload',
  cluster: undefined,
  namespace: undefined,
  off: [],
  sharing: nothingShared,
}

interface Ran extends SyntheticPod {
  readonly workload: string
}

/** Prices by the name of the node, whose first letter is its type. */
function periodOf(pods: readonly Ran[], { hours }: typeof now, prices: Record<string, NodePrice>) {
  const priceOf = (_: string, node: string) => prices[node[0]!]!
  const costs = new PeriodCosts(hours, { priceOf }, (_, node) => node[0]!)
  const used = pods.map((pod) => podOf({ cluster: 'c', ...pod, from: hours.from }, hours))
  const loads = new NodeLoads()
  for (const { use } of used) addLoads(loads, use)
  for (const [index, { subject, use }] of used.entries())
    costs.add(subject, pods[index]!.workload, use, loads)
  costs.addIdle('c', loads, hours.to * 3600)
  return costs
}

const a = { a: { ...price, perHourUsd: null } }
const changeOf = (
  was: readonly Partial<Ran>[],
  is: readonly Partial<Ran>[],
  pricesBefore: Record<string, NodePrice> = a,
  pricesNow = pricesBefore,
) => {
  const ran = (pods: readonly Partial<Ran>[]): Ran[] =>
    pods.map((pod, index) => ({
      workload: 'Deployment/web',
      node: 'a1',
      cores: 0,
      gib: 0,
      pod: `p${index}`,
      ...pod,
    }))
  return viewChange(query, periodOf(ran(was), before, pricesBefore), periodOf(ran(is), now, pricesNow))
}

const web = { cpuRequest: 10 }
/** 10 cores for a day at 0.03. */
const usd = 7.2
const dearer = { ...price, perHourUsd: null, corePerHourUsd: 0.06 }

test.each<[string, ReturnType<typeof changeOf>, object]>([
  ['a new workload', changeOf([], [web]), { new_usd: usd }],
  ['one that is gone', changeOf([web], []), { gone_usd: -usd }],
  ['twice as many pods', changeOf([web], [web, web]), { count_usd: usd }],
  ['larger requests', changeOf([web], [{ cpuRequest: 15 }]), { size_usd: usd / 2 }],
  [
    'another type of node, at the same prices as before',
    changeOf(
      [web, { workload: 'Job/x', node: 'b1', cpuRequest: 10 }],
      [
        { ...web, node: 'b1' },
        { workload: 'Job/x', node: 'b1', cpuRequest: 10 },
      ],
      { ...a, b: dearer },
    ),
    { mix_usd: usd },
  ],
  ['another price of the same type', changeOf([web], [web], a, { a: dearer }), { price_usd: usd }],
  [
    'twice the pods, half the size, at the double price, in this order',
    changeOf([web], [{ cpuRequest: 5 }, { cpuRequest: 5 }], a, { a: dearer }),
    { count_usd: usd, size_usd: -usd, price_usd: usd },
  ],
])('%s', (_, { before_usd, cost_usd, groups, causes, start, end, ...change }, expected) => {
  const parts = Object.fromEntries(
    Object.entries(change).filter(
      ([name, value]) => /^(hours|new|gone|count|size|mix|price|idle|shared)_usd$/.test(name) && value !== 0,
    ),
  )
  expect(Object.keys(parts)).toEqual(Object.keys(expected))
  for (const [name, value] of Object.entries(expected)) expect(parts[name]).toBeCloseTo(value as number, 6)
})

test('periods of which one was hardly measured are compared by rate, or not at all', () => {
  const measured = (of: ReturnType<typeof periodOf>, from: number, hours: number) => {
    if (hours > 0) of.addMeasured('c', { from, to: from + hours })
    return of
  }
  const noteOf = (hoursBefore: number) => {
    const was = measured(periodOf([], before, a), before.hours.from, hoursBefore)
    const is = measured(periodOf([{ workload: 'Job/x', node: 'a1', ...web }], now, a), now.hours.from, 24)
    return viewChange(query, was, is)
  }
  expect(noteOf(20)).toMatchObject({ note: null, causes: [{ part: 'new' }] })
  expect(noteOf(6)).toMatchObject({
    note: expect.stringMatching(/^Measured were 6 of 24 hours before .* At the measured rate, a month cost /),
    causes: [],
  })
  expect(noteOf(0).note).toMatch(/cannot be compared.$/)
})

test('more measured hours are a part of their own', () => {
  const pod = { workload: 'Deployment/web', node: 'a1', cores: 0, gib: 0, pod: 'p', ...web }
  const [was, is] = [periodOf([{ ...pod, hours: 16 }], before, a), periodOf([pod], now, a)]
  was.addMeasured('c', { from: before.hours.from, to: before.hours.from + 16 })
  is.addMeasured('c', now.hours)
  const { before_usd, change_usd, hours_usd, count_usd, size_usd, causes } = viewChange(query, was, is)
  expect(hours_usd).toBeCloseTo(before_usd / 2, 2)
  expect([change_usd, count_usd, size_usd]).toEqual([hours_usd, 0, 0])
  expect(causes.map(({ text }) => text)).toEqual([
    `More hours of the cluster c than before: +$${hours_usd.toFixed(2)}.`,
  ])
})

test('nothing is new in a cluster of which measuring began', () => {
  const job = { workload: 'Job/x', node: 'a1', cores: 0, gib: 0, pod: 'p', ...web }
  const [was, is] = [periodOf([job], before, a), periodOf([job, { ...job, cluster: 'd' }], now, a)]
  was.addMeasured('c', before.hours)
  for (const cluster of ['c', 'd']) is.addMeasured(cluster, now.hours)
  expect(viewChange(query, was, is)).toMatchObject({
    note: null,
    causes: [{ part: 'new', text: 'The cluster d was measured for less than half as long before: +$7.20.' }],
  })
})

test('causes are sentences, the largest first', () => {
  const { causes } = changeOf([web], [web, web, { workload: 'Deployment/api', cpuRequest: 1 }])
  expect(causes.map(({ text }) => text)).toEqual([
    'app of Deployment/web in shop ran for 48 pod hours, before 24 in the same time: +$7.20.',
    'app of Deployment/api in shop is new, with 1 pod on average: +$0.72.',
  ])
})

test('parts and groups add up to the change, to the cent, whatever ran', () => {
  const anyPod = fc.record({
    ...anyPodSizes,
    workload: fc.constantFrom('Deployment/web', 'StatefulSet/db', 'Job/x'),
    namespace: fc.constantFrom('shop', 'till'),
    pod: fc.constantFrom('p1', 'p2', 'p3'),
    node: fc.constantFrom('a1', 'a2', 'b1'),
    hours: fc.integer({ min: 1, max: 24 }),
  })
  const anyPrice = fc.record({
    corePerHourUsd: fc.double({ min: 0, max: 0.1, noNaN: true }),
    gibPerHourUsd: fc.double({ min: 0, max: 0.02, noNaN: true }),
    gpuPerHourUsd: fc.double({ min: 0, max: 2, noNaN: true }),
    perHourUsd: fc.constantFrom(null, 0.5),
  })
  const anyPrices = fc.record({ a: anyPrice, b: anyPrice })
  const pods = fc.array(anyPod, { maxLength: 5 })
  const groupings = fc.constantFrom('cluster' as const, 'namespace' as const, 'workload' as const)
  fc.assert(
    fc.property(pods, pods, anyPrices, anyPrices, groupings, (was, is, then, today, groupBy) => {
      const [first, second] = [periodOf(was, before, then), periodOf(is, now, today)]
      const change = viewChange({ ...query, groupBy }, first, second)
      const cents = (usdAmount: number) => Math.round(usdAmount * 100)
      const names = ['hours', 'new', 'gone', 'count', 'size', 'mix', 'price', 'idle', 'shared'].map(
        (part) => `${part}_usd` as const,
      ) as (keyof (typeof change.groups)[number] & keyof typeof change)[]
      for (const of of [change, ...change.groups]) {
        expect(names.reduce((sum, name) => sum + cents(of[name] as number), 0)).toBe(cents(of.change_usd))
        expect(cents(of.cost_usd) - cents(of.before_usd)).toBe(cents(of.change_usd))
      }
      for (const name of [...names, 'before_usd', 'cost_usd', 'change_usd'] as typeof names)
        expect(change.groups.reduce((sum, group) => sum + cents(group[name] as number), 0)).toBe(
          cents(change[name] as number),
        )
      expect(change.before_usd).toBe(round(change.before_usd, 2))
    }),
  )
})
