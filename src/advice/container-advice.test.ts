import { expect, test } from 'vitest'
import type { AdviceFinding, AdviceGrade } from '../domain/recommendation.ts'
import type { PricedContainer } from '../namespace-sizes/namespace-draft.ts'
import { containerEffort, containerFindings, containerRisk } from './container-advice.ts'

const containerOf = (more: Partial<PricedContainer>): PricedContainer =>
  ({
    current: { cpuRequest: 2, cpuLimit: undefined, memoryRequest: 4, memoryLimit: undefined },
    requests: { cpu: undefined, memory: undefined },
    confidence: 0.7,
    oomKills: 0,
    throttledShare: 0,
    leaks: false,
    ...more,
  }) as PricedContainer

test.each<[string, Partial<PricedContainer>, AdviceGrade]>([
  ['more of both', { requests: { cpu: 3, memory: 5 } }, 'low'],
  ['less CPU', { requests: { cpu: 1, memory: undefined } }, 'low'],
  ['less CPU from little data', { requests: { cpu: 1, memory: undefined }, confidence: 0.3 }, 'medium'],
  ['less CPU though throttled', { requests: { cpu: 1, memory: undefined }, throttledShare: 0.2 }, 'medium'],
  ['less memory', { requests: { cpu: 3, memory: 2 } }, 'medium'],
  ['less memory from little data', { requests: { cpu: 1, memory: 2 }, confidence: 0.3 }, 'high'],
  ['less memory though killed', { requests: { cpu: 1, memory: 2 }, oomKills: 1 }, 'high'],
  ['less CPU though killed for memory', { requests: { cpu: 1, memory: 5 }, oomKills: 1 }, 'low'],
])('the risk of %s', (_, more, risk) => {
  expect(containerRisk(containerOf(more))).toBe(risk)
})

test.each<[Partial<PricedContainer>, AdviceFinding[]]>([
  [{}, []],
  [{ throttledShare: 0.05 }, []],
  [{ oomKills: 1, throttledShare: 0.06, leaks: true }, ['oom-kills', 'throttled', 'leak']],
])('the findings of %o', (more, findings) => {
  expect(containerFindings(containerOf(more))).toEqual(findings)
})

test('a stateful workload, or one that no patch can change, is more effort', () => {
  expect(containerEffort('StatefulSet/db')).toBe('medium')
  expect(containerEffort('Deployment/web')).toBe('low')
  for (const workload of ['Job/import', 'Pod/debug', 'Node/kube-proxy', 'Rollout/web'])
    expect(containerEffort(workload)).toBe('medium')
})
