import { expect, test } from 'vitest'
import type { RecommendationFinding, RecommendationGrade } from '../../../domain/recommendation.ts'
import type { PricedContainer } from '../../containers/namespace-draft.ts'
import { containerFindings, containerRisk } from './container-risk.ts'
import { containerEffort } from './container-row.ts'

const week = 7 * 24
const containerOf = (more: Partial<PricedContainer>): PricedContainer => {
  const current = { cpuRequest: 2, cpuLimit: undefined, memoryRequest: 4, memoryLimit: undefined }
  return {
    workload: 'Deployment/web',
    name: 'app',
    current,
    recommended: more.current ?? current,
    requests: { cpu: undefined, memory: undefined },
    cpu: { max: 0.5e6, quantile: () => 0.45e6 },
    memory: { max: 1.5 * 2 ** 30 },
    replicas: { atEnd: 2, highest: 2, most: undefined },
    hoursSinceFirst: 2 * week,
    oomKills: 0,
    restarts: 0,
    throttledShare: 0,
    leaks: false,
    ...more,
  } as PricedContainer
}
const less = { requests: { cpu: 1, memory: undefined } }
const lessMemory = { requests: { cpu: undefined, memory: 2 } }
const limited = { cpuRequest: 2, cpuLimit: 2, memoryRequest: 4, memoryLimit: 4 }
/** Limits are cut with their requests. */
const cutTo = (cpu: number, memory: number): Partial<PricedContainer> => ({
  current: limited,
  requests: { cpu, memory },
  recommended: { cpuRequest: cpu, cpuLimit: cpu, memoryRequest: memory, memoryLimit: memory },
})

test.each<[string, Partial<PricedContainer>, RecommendationGrade]>([
  ['more of both', { requests: { cpu: 3, memory: 5 } }, 'low'],
  ['more of both from little data', { requests: { cpu: 3, memory: 5 }, hoursSinceFirst: 8 }, 'low'],
  ['less CPU', less, 'low'],
  ['less memory', lessMemory, 'low'],
  ['less CPU from three days', { ...less, hoursSinceFirst: 72 }, 'medium'],
  ['less CPU from less than a day', { ...less, hoursSinceFirst: 20 }, 'high'],
  ['less CPU though throttled', { ...less, throttledShare: 0.2 }, 'medium'],
  ['less memory though killed', { ...lessMemory, oomKills: 1 }, 'medium'],
  ['less memory though it leaks', { ...lessMemory, leaks: true }, 'medium'],
  ['less CPU though killed for memory', { ...less, oomKills: 1 }, 'low'],
  ['less CPU of a container that restarts all the time', { ...less, restarts: 277 }, 'medium'],
  ['limits well above the peak', cutTo(1, 3), 'low'],
  ['a CPU limit within 20% of the peak', cutTo(0.59, 3), 'high'],
  ['a memory limit within 20% of the peak', cutTo(1, 1.79), 'high'],
  [
    'a memory limit of a single replica',
    { ...cutTo(1, 3), replicas: { atEnd: 1, highest: 1, most: undefined } },
    'high',
  ],
  ['a memory limit of a stateful workload', { ...cutTo(1, 3), workload: 'StatefulSet/db' }, 'high'],
  [
    'less CPU than a database uses at times',
    { requests: { cpu: 0.4, memory: undefined }, name: 'mysql' },
    'medium',
  ],
  ['less CPU than others use at times', { requests: { cpu: 0.4, memory: undefined } }, 'low'],
  ['a memory limit of a database', { ...cutTo(1, 3), name: 'postgres' }, 'high'],
])('the risk of %s', (_, more, risk) => {
  expect(containerRisk(containerOf(more))).toBe(risk)
})

test.each<[Partial<PricedContainer>, RecommendationFinding[]]>([
  [{}, []],
  [{ current: {} as PricedContainer['current'] }, ['no-requests', 'no-memory-limit']],
  [{ current: { ...limited, memoryRequest: undefined } }, []],
  [{ current: { ...limited, cpuRequest: undefined, cpuLimit: undefined } }, ['no-requests']],
  [{ current: {} as PricedContainer['current'], init: true }, []],
  [{ throttledShare: 0.05 }, []],
  [{ restarts: 6, oomKills: 2 }, ['oom-kills']],
  [{ restarts: 12 }, []],
  [{ restarts: 12, hoursSinceFirst: 72 }, ['crash-loop']],
  [
    { restarts: 277, oomKills: 1, throttledShare: 0.06, leaks: true },
    ['crash-loop', 'oom-kills', 'throttled', 'leak'],
  ],
])('the findings of %o', (more, findings) => {
  expect(containerFindings(containerOf({ current: limited, ...more }))).toEqual(findings)
})

test('a stateful workload, or one that no patch can change, is more effort', () => {
  expect(containerEffort('StatefulSet/db')).toBe('medium')
  expect(containerEffort('Deployment/web')).toBe('low')
  for (const workload of ['Job/import', 'Pod/debug', 'Node/kube-proxy', 'Rollout/web'])
    expect(containerEffort(workload)).toBe('medium')
})
