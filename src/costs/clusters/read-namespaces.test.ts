import { expect, test } from 'vitest'
import type { EntityRef } from '../../domain/usage-series.ts'
import { newEntity, setAttribute } from '../../usage/digest/entities.ts'
import { noQuota } from '../allocation/totals.ts'
import { NamespaceFacts } from './read-namespaces.ts'

const hour = 500_000
function entity(
  kind: EntityRef['kind'],
  name: string,
  attributes: Record<string, string | number>,
  at = hour,
) {
  const made = newEntity({ kind, cluster: 'c', namespace: 'shop', name }, at)
  for (const [attribute, value] of Object.entries(attributes)) setAttribute(made, attribute, value, at * 3600)
  return made
}
const gib = 2 ** 30

test.each([
  [
    'on limits first',
    [{ 'hard/limits.cpu': 8, 'hard/requests.cpu': 4, 'hard/limits.memory': 16 * gib }],
    8,
    16,
    { cpu: false, memory: false },
  ],
  [
    'else on requests',
    [{ 'hard/requests.cpu': 4, 'hard/memory': 2 * gib, 'used/limits.cpu': 1 }],
    4,
    2,
    { cpu: true, memory: true },
  ],
  ['the tightest of several', [{ 'hard/limits.cpu': 8 }, { 'hard/limits.cpu': 6, 'hard/cpu': 1 }], 6, 0, {}],
  ['none', [], 0, 0, {}],
])('quota: %s', (_, quotas, cpu, memory, ofRequests) => {
  const facts = new NamespaceFacts(
    quotas.map((quota, index) => entity('quota', `q${index}`, quota)),
    hour,
  )
  expect(facts.quotaOf('c', 'shop')).toMatchObject({ cpu, memory, ofRequests })
  expect(facts.quotaOf('c', 'other')).toEqual(noQuota)
})

test('autoscalers are found by workload, and deleted ones are not found', () => {
  const attributes = {
    workload: 'Deployment/web',
    minReplicas: 2,
    maxReplicas: 9,
    'target/cpu/utilization': 70,
  }
  const facts = (from: number) => new NamespaceFacts([entity('autoscaler', 'h', attributes)], from)
  expect(facts(hour).autoscalerOf('c', 'shop', 'Deployment/web')).toEqual({
    minReplicas: 2,
    maxReplicas: 9,
    cpuTarget: 70,
    memoryTarget: undefined,
  })
  expect(facts(hour).autoscalerOf('c', 'shop', 'Deployment/api')).toBeUndefined()
  expect(facts(hour + 1).autoscalerOf('c', 'shop', 'Deployment/web')).toBeUndefined()
})
