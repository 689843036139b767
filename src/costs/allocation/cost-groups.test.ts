import { expect, test } from 'vitest'
import { type Entity, labelAttribute } from '../../usage/digest/entities.ts'
import { firstHour, podOf, type SyntheticPod } from '../../usage/reading/pods.case.ts'
import { CostGroups, type RowKey, TooManyCosts, WorkloadLabels } from './cost-groups.ts'
import { parseGroupBy } from './grouping.ts'
import { at, price } from './node-price.case.ts'
import { NodeLoads } from './nodes.ts'
import { addLoads } from './spend.ts'
import { type StepName, TimeSteps } from './time-steps.ts'

const hours = { from: firstHour, to: firstHour + 48 }

function entity(kind: 'workload' | 'namespace', name: string, team: string): Entity {
  const ref = { kind, cluster: 'c', namespace: 'shop', name }
  const attributes = new Map([[labelAttribute('team'), { at: 0, value: team }]])
  return { ref, attributes, firstHour, lastHour: firstHour }
}
const labels = new WorkloadLabels(
  new Map(
    [entity('workload', 'Deployment/web', 'blue'), entity('namespace', 'shop', 'red')].map((one) => [
      `${one.ref.kind}\0c\0shop\0${one.ref.name}`,
      one,
    ]),
  ),
  'team',
)

function groupsOf(
  groupBy: string,
  pods: readonly [workload: string, pod: SyntheticPod][],
  step: StepName = 'day',
) {
  const grouping = { keys: parseGroupBy(groupBy)!, hours, steps: new TimeSteps(hours, step) }
  const groups = new CostGroups(grouping, at(price), labels)
  const loads = new NodeLoads()
  const used = pods.map(([workload, pod]) => ({ ...podOf(pod, hours), workload }))
  for (const { use } of used) addLoads(loads, use)
  for (const { use, workload, subject } of used)
    groups.add({ ...subject, cluster: 'c', namespace: 'shop' }, workload, use, loads)
  return { groups, loads }
}
const told = (groups: CostGroups, after?: RowKey) =>
  [...groups.rows(after)].map(({ key, toHour }) => [
    key.values.at(-1),
    key.fromHour - firstHour,
    toHour - firstHour,
  ])

const pods: [string, SyntheticPod][] = [
  ['Deployment/web', { hours: 36, node: 'b', cpuRequest: 1, memoryRequest: 1 }],
  ['Deployment/db', { hours: 12, node: 'a', cpuRequest: 1, memoryRequest: 1 }],
]

test.each<[string, (readonly [string, number, number])[]]>([
  [
    'namespace',
    [
      ['shop', 0, 24],
      ['shop', 24, 48],
    ],
  ],
  [
    'workload',
    [
      ['Deployment/db', 0, 24],
      ['Deployment/web', 0, 24],
      ['Deployment/web', 24, 48],
    ],
  ],
  [
    'node',
    [
      ['a', 0, 24],
      ['b', 0, 24],
      ['b', 24, 48],
    ],
  ],
  [
    'label:team',
    [
      ['blue', 0, 24],
      ['blue', 24, 48],
      ['red', 0, 24],
    ],
  ],
])('rows by %s are ordered by name and time, without steps in which nothing ran', (groupBy, expected) => {
  expect(told(groupsOf(groupBy, pods).groups)).toEqual(expected)
})

test('rows continue after a cursor', () => {
  const { groups } = groupsOf('workload', pods)
  const key = { type: 'usage', values: ['c', 'shop', 'Deployment/web'], fromHour: firstHour } as const
  expect(told(groups, key)).toEqual([['Deployment/web', 24, 48]])
  expect(told(groups, { ...key, values: ['c', 'other', 'x'] })).toHaveLength(3)
  expect(told(groups, { ...key, type: 'idle' })).toEqual([])
})

test('idle cost goes to the node, with the hours of each step that were measured', () => {
  const { groups, loads } = groupsOf('node', pods)
  groups.addMeasured('c', { from: firstHour + 6, to: firstHour + 36 })
  groups.addIdle('c', loads, (firstHour + 36) * 3600)
  const all = [...groups.rows()]
  expect(groups.measuredHours).toBe(30)
  expect(all.map(({ key }) => key.type)).toEqual(['usage', 'usage', 'usage', 'idle', 'idle', 'idle'])
  const rows = all.slice(0, 3)
  expect(rows.map(({ measuredHours }) => measuredHours)).toEqual([18, 18, 12])
  expect(rows.map(({ price: own }) => own)).toEqual([price, price, price])
  // 12 x (0.184 - 0.03 - 0.004)
  expect(rows[0]!.columns.idleUsd[0]).toBeCloseTo(1.8, 9)
})

test('more groups and steps than the maximum are refused', () => {
  const long = { from: firstHour, to: firstHour + 600_000 }
  const grouping = { keys: parseGroupBy('workload')!, hours: long, steps: new TimeSteps(long, 'hour') }
  const groups = new CostGroups(grouping, at(price), undefined)
  const { use, subject } = podOf(pods[0]![1], hours)
  groups.add(subject, 'Deployment/a', use, new NodeLoads())
  expect(() => groups.add(subject, 'Deployment/b', use, new NodeLoads())).toThrow(TooManyCosts)
})

test.each([
  ['namespace,label:team', ['cluster', 'namespace', 'label:team'], 'c/shop/blue'],
  ['label:team,cluster,kind', ['cluster', 'kind', 'label:team'], 'c/Deployment/blue'],
  [
    'container,node',
    ['cluster', 'namespace', 'workload', 'container', 'node'],
    'c/shop/Deployment/web/app/b',
  ],
  ['pod', ['cluster', 'namespace', 'pod'], 'c/shop/web-1'],
  ['kind', ['kind'], 'Deployment'],
])('groups by %s', (groupBy, keys, values) => {
  expect(parseGroupBy(groupBy)).toEqual(keys)
  const [first] = groupsOf(groupBy, [pods[0]!]).groups.rows()
  expect(first!.key.values.join('/')).toBe(values)
})

test.each([
  '',
  'colour',
  'cluster,',
  'cluster,cluster',
  'label:',
  'label:a,label:b',
  'cluster,kind,pod,node',
])('%j is no grouping', (groupBy) => {
  expect(parseGroupBy(groupBy)).toBeUndefined()
})
