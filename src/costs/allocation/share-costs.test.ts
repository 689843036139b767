import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstHour, podOf } from '../../usage/reading/pods.case.ts'
import { CostGroups } from './cost-groups.ts'
import { type GroupKey, groupKinds, parseGroupBy } from './grouping.ts'
import { anyPodSizes, at, gpuPrice, price } from './node-price.case.ts'
import { NodeLoads } from './nodes.ts'
import { type CostSharing, nothingShared, shareCosts, sharingKeys, sharingMethods } from './share-costs.ts'
import { addLoads } from './spend.ts'
import { TimeSteps } from './time-steps.ts'
import { viewCostRow } from './view-cost-row.ts'

const hours = { from: firstHour, to: firstHour + 48 }
const steps = new TimeSteps(hours, 'day')
const endAt = hours.to * 3600 - 60

interface Ran {
  readonly namespace: string
  readonly node: string
  readonly cluster?: string
}

/** Costs of pods, grouped by these keys, with what is shared. */
function rowsOf(
  pods: readonly (Ran & object)[],
  keys: readonly GroupKey[],
  sharing: CostSharing,
  prices = at(price),
) {
  const fine = new CostGroups({ keys: sharingKeys(keys), hours, steps }, prices, undefined)
  for (const [cluster, own] of Map.groupBy(pods, ({ cluster = 'c' }) => cluster)) {
    const used = own.map((pod) => podOf({ ...pod, cluster }, hours))
    const loads = new NodeLoads()
    for (const { use } of used) addLoads(loads, use)
    for (const { subject, workload, use } of used) fine.add(subject, workload, use, loads)
    fine.addIdle(cluster, loads, endAt)
  }
  const grouping = { keys, namespace: undefined, hours, steps, isShared: true }
  const into = new CostGroups(grouping, prices, undefined)
  shareCosts(fine, sharing, grouping, into)
  return [...into.rows()].map((row) => viewCostRow(row, grouping))
}

/** The node costs 0.184 an hour; shop occupies 0.03 of it, till 0.06, ops 0.03. */
const pods = [
  { namespace: 'shop', node: 'n1', cpuRequest: 1, gib: 0, hours: 24 },
  { namespace: 'till', node: 'n1', cpuRequest: 2, gib: 0, hours: 24 },
  { namespace: 'ops', node: 'n1', cpuRequest: 1, gib: 0, hours: 24 },
]

test.each<[string, Partial<CostSharing>, Record<string, number>]>([
  ['apart', {}, { shop: 0.72, till: 1.44, ops: 0.72, idle: 1.536 }],
  ['idle by cost', { idle: 'by_cost' }, { shop: 1.104, till: 2.208, ops: 1.104 }],
  ['idle evenly', { idle: 'evenly' }, { shop: 1.232, till: 1.952, ops: 1.232 }],
  [
    'idle by fixed shares, of which one is of nobody',
    { idle: 'fixed', shares: { shop: 50, till: 25, gone: 25 } },
    { shop: 1.488, till: 1.824, ops: 0.72, idle: 0.384 },
  ],
  [
    'a shared namespace by cost',
    { shared: 'by_cost', sharedNamespaces: ['op*'] },
    { shop: 0.96, till: 1.92, ops: 0, idle: 1.536 },
  ],
  [
    'both: the shared namespace passes its idle cost on',
    { idle: 'by_cost', shared: 'evenly', sharedNamespaces: ['ops'] },
    { shop: 1.656, till: 2.76, ops: 0 },
  ],
  [
    'nobody to share with',
    { shared: 'by_cost', sharedNamespaces: ['*'] },
    { shop: 0.72, till: 1.44, ops: 0.72, idle: 1.536 },
  ],
])('%s', (_, sharing, expected) => {
  // The last sample is a minute before the end of the first day, which the second day does not have.
  const rows = rowsOf(pods, ['cluster', 'namespace'], { ...nothingShared, ...sharing })
  const costs = Object.fromEntries(
    rows
      .filter(({ cost_usd }) => cost_usd !== 0 || sharing.sharedNamespaces)
      .map((row) => [row.namespace ?? 'idle', row.cost_usd]),
  )
  for (const [name, usd] of Object.entries(expected)) expect(costs[name] ?? 0, name).toBeCloseTo(usd, 2)
  expect(Object.keys(costs).length).toBe(Object.keys(expected).length)
})

test('however costs are shared and grouped, nothing is added or lost', () => {
  const anyPod = fc.record({
    ...anyPodSizes,
    cluster: fc.constantFrom('c', 'd'),
    namespace: fc.constantFrom('shop', 'till', 'kube-system', 'constructor'),
    workload: fc.constantFrom('Deployment/web', 'StatefulSet/db'),
    node: fc.constantFrom('n1', 'n2'),
    from: fc.integer({ min: firstHour, max: firstHour + 30 }),
    hours: fc.integer({ min: 1, max: 20 }),
  })
  const anySharing = fc.record({
    idle: fc.constantFrom(...sharingMethods),
    shared: fc.constantFrom(...sharingMethods),
    sharedNamespaces: fc.subarray(['kube-*', 'till']),
    off: fc.constant([]),
    loadBalancerMonthUsd: fc.constant(null),
    networkGibUsd: fc.constant(null),
    internetPercent: fc.constant(null),
    shares: fc.constantFrom({ shop: 60, till: 30 }, { shop: 100 }, { gone: 10 }),
  })
  const anyGrouping = fc.constantFrom(...groupKinds, 'node,kind')
  fc.assert(
    fc.property(
      fc.array(anyPod, { minLength: 1, maxLength: 6 }),
      anyGrouping,
      anySharing,
      (ran, by, sharing) => {
        const keys = parseGroupBy(by)!
        const sum = (rows: ReturnType<typeof rowsOf>, read: (row: (typeof rows)[number]) => number) =>
          rows.reduce((all, row) => all + read(row), 0)
        const apart = rowsOf(ran, keys, nothingShared, at(gpuPrice))
        const shared = rowsOf(ran, keys, sharing, at(gpuPrice))
        expect(sum(shared, (row) => row.cost_usd)).toBeCloseTo(
          sum(apart, (row) => row.cost_usd),
          4,
        )
        expect(sum(shared, (row) => row.used_core_hours)).toBeCloseTo(
          sum(apart, (row) => row.used_core_hours),
          4,
        )
        expect(shared.every((row) => row.cost_usd >= 0)).toBe(true)
      },
    ),
  )
})
