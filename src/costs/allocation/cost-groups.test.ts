import { expect, test } from 'vitest'
import { type Entity, labelAttribute } from '../usage/digest/entities.ts'
import { firstHour, podOf, type SyntheticPod } from '../usage/reading/pods.case.ts'
import { CostGroups, type RowKey, TooManyCosts, WorkloadLabels } from './cost-groups.ts'
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

type Kind = 'cluster' | 'namespace' | 'workload' | 'node' | 'label'

function groupsOf(
  kind: Kind,
  pods: readonly [workload: string, pod: SyntheticPod][],
  step: StepName = 'day',
) {
  const grouping = { groupBy: { kind }, hours, steps: new TimeSteps(hours, step) }
  const groups = new CostGroups({ cluster: 'c', namespace: 'shop' }, grouping, at(price), labels)
  const loads = new NodeLoads()
  const used = pods.map(([workload, pod]) => ({ ...podOf(pod, hours), workload }))
  for (const { use } of used) addLoads(loads, use)
  for (const { use, workload, subject } of used)
    groups.add({ ...subject, cluster: 'c', namespace: 'shop' }, workload, use, loads)
  return { groups, loads }
}
const told = (groups: CostGroups, after?: RowKey) =>
  [...groups.rows(after)].map(({ key, toHour }) => [key.name, key.fromHour - firstHour, toHour - firstHour])

const pods: [string, SyntheticPod][] = [
  ['Deployment/web', { hours: 36, node: 'b', cpuRequest: 1, memoryRequest: 1 }],
  ['Deployment/db', { hours: 12, node: 'a', cpuRequest: 1, memoryRequest: 1 }],
]

test.each<[Kind, (readonly [string, number, number])[]]>([
  [
    'namespace',
    [
      ['', 0, 24],
      ['', 24, 48],
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
    'label',
    [
      ['blue', 0, 24],
      ['blue', 24, 48],
      ['red', 0, 24],
    ],
  ],
])('rows by %s are ordered by name and time, without steps in which nothing ran', (kind, expected) => {
  expect(told(groupsOf(kind, pods).groups)).toEqual(expected)
})

test('rows continue after a cursor', () => {
  const { groups } = groupsOf('workload', pods)
  const key = { cluster: 'c', namespace: 'shop', name: 'Deployment/web', fromHour: firstHour }
  expect(told(groups, key)).toEqual([['Deployment/web', 24, 48]])
  expect(told(groups, { ...key, namespace: 'other' })).toHaveLength(3)
})

test('idle cost goes to the node, with the hours of each step that were measured', () => {
  const { groups, loads } = groupsOf('node', pods)
  groups.addIdle('c', loads, { from: firstHour + 6, to: firstHour + 36 }, (firstHour + 36) * 3600)
  const rows = [...groups.rows(undefined)]
  expect(rows.map(({ measuredHours }) => measuredHours)).toEqual([18, 18, 12])
  expect(rows.map(({ price: own }) => own)).toEqual([price, price, price])
  // 12 x (0.184 - 0.03 - 0.004)
  expect(rows[0]!.columns.idleUsd[0]).toBeCloseTo(1.8, 9)
})

test('more groups and steps than the maximum are refused', () => {
  const long = { from: firstHour, to: firstHour + 600_000 }
  const grouping = { groupBy: { kind: 'workload' as const }, hours: long, steps: new TimeSteps(long, 'hour') }
  const groups = new CostGroups({ cluster: 'c', namespace: 'shop' }, grouping, at(price), undefined)
  const { use, subject } = podOf(pods[0]![1], hours)
  groups.add(subject, 'Deployment/a', use, new NodeLoads())
  expect(() => groups.add(subject, 'Deployment/b', use, new NodeLoads())).toThrow(TooManyCosts)
})
