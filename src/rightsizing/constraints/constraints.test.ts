import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchesPattern } from '../../domain/text.ts'
import type { UsageSpan } from '../input.ts'
import { recommend } from '../recommend.ts'
import { prices, spansOf } from '../usage.case.ts'
import type { RequestsAndLimits } from '../workload.ts'
import { constraintsFor, type SizeConstraints, type SizingRule } from './sizing-rules.ts'

function recommendWith(
  constraints: SizeConstraints,
  current: RequestsAndLimits = {},
  more: (hour: number) => Partial<UsageSpan> = () => ({}),
) {
  const spans = spansOf(10, { cpu: () => [0.5, 0.5, 0.5, 0.9], gib: () => [1] }, more)
  return recommend({ spans, current }, { atHour: 240, model: {}, prices, constraints })
}

const without = recommendWith({})
const peaks = { cpu: 0.9, memory: 1 }
const [cores, gib] = [without.cpu!.target, without.memory!.target]

test('bounds apply to any usage, and the reasons name them', () => {
  const least = recommendWith({ minCpu: 3, minMemory: 5 })
  expect([least.cpu!.target, least.memory!.target]).toEqual([3, 5])
  expect(least.reasons.join(' ')).toMatch(/CPU: raised to 3 cores, the minimum set by min_cpu\./)
  const most = recommendWith({ maxCpu: 0.2, maxMemory: 0.5 })
  expect([most.cpu!.target, most.memory!.target]).toEqual([0.2, 0.5])
  expect(most.cpu!.upper).toBe(0.2)
  expect(most.reasons.join(' ')).toMatch(
    /Memory: capped at 512Mi, the maximum set by max_memory; without it, /,
  )
  expect(recommendWith({ minCpu: 0.01, maxMemory: 64 }).reasons).toEqual(without.reasons)
})

test('a request outside the bounds changes, even if the change is worth little', () => {
  const small = { cpuRequest: cores * 1.02, memoryRequest: gib }
  expect(recommendWith({}, small).cpu!.worthChanging).toBe(false)
  expect(recommendWith({ minCpu: cores * 1.05 }, small).cpu).toMatchObject({
    worthChanging: true,
    target: cores * 1.05,
  })
})

test('a ratio raises the smaller of the two', () => {
  expect(recommendWith({ cpuMemoryRatio: { least: 4, most: 6 } }).memory!.target).toBeCloseTo(4 * cores, 9)
  const wide = recommendWith({ cpuMemoryRatio: { least: 0.1, most: 0.5 } })
  expect([wide.cpu!.target, wide.memory!.target]).toEqual([gib / 0.5, gib])
  expect(recommendWith({ cpuMemoryRatio: { least: gib / cores, most: gib / cores } }).reasons).toEqual(
    without.reasons,
  )
  expect(recommendWith({ cpuMemoryRatio: { least: 4, most: 4 }, maxMemory: 2 }).memory!.target).toBe(2)
})

test('a ratio holds for the recommended requests, even if one of the current requests would do', () => {
  const ratio = { cpuMemoryRatio: { least: 4, most: 4 } }
  const both = (current: RequestsAndLimits) => {
    const { cpu, memory } = recommendWith(ratio, current)
    return [cpu, memory].map((part) => (part!.worthChanging ? part!.target : part!.current))
  }
  const near = cores * 1.02
  expect(recommendWith({}, { cpuRequest: near, memoryRequest: 9 }).cpu!.worthChanging).toBe(false)
  expect(both({ cpuRequest: near, memoryRequest: 9 })).toEqual([cores, 4 * cores])
  expect(both({ cpuRequest: near, memoryRequest: 4 * near })).toEqual([near, 4 * near])
})

test.each<[string, SizeConstraints, RequestsAndLimits, object]>([
  ['proportional by default', {}, { cpuRequest: 2, cpuLimit: 4 }, { limit: 2 * cores, changesLimit: false }],
  ['proportional by name', { limits: 'ratio' }, { cpuRequest: 2, cpuLimit: 4 }, { limit: 2 * cores }],
  ['none', { limits: 'none' }, { cpuRequest: 2, cpuLimit: 4 }, { limit: null, changesLimit: true }],
  [
    'no limit is removed if none is set',
    { limits: 'none' },
    { cpuRequest: 2 },
    { limit: null, changesLimit: false },
  ],
  [
    'the limit is removed even if the request stays',
    { limits: 'none' },
    { cpuRequest: cores, cpuLimit: 4 },
    { worthChanging: false, limit: null, changesLimit: true },
  ],
])('CPU limits: %s', (_, constraints, current, expected) => {
  expect(recommendWith(constraints, current).cpu).toMatchObject(expected)
})

test.each<[string, SizeConstraints, RequestsAndLimits, number]>([
  ['is not below 0.1 cores', {}, { cpuRequest: 2, cpuLimit: 4 }, 0.1],
  ['of less is not lowered', {}, { cpuRequest: 0.04, cpuLimit: 0.08 }, 0.08],
  ['equal to the request is not below that either', {}, { cpuRequest: 2, cpuLimit: 2 }, 0.1],
  ['in proportion above that is kept', {}, { cpuRequest: 0.05, cpuLimit: 4 }, 0.8],
  ['by quantile is not below it either', { limits: 'quantile' }, { cpuRequest: 2 }, 0.1],
])('the CPU limit of an idle container %s', (_, constraints, current, limit) => {
  const spans = spansOf(10, { cpu: () => [0.0004], gib: () => [1] }, () => ({}))
  const { cpu, reasons } = recommend({ spans, current }, { atHour: 240, model: {}, prices, constraints })
  const target = current.cpuRequest === current.cpuLimit ? limit : 0.01
  expect(cpu).toMatchObject({ target, limit: expect.closeTo(limit, 9) })
  const says = current.cpuRequest === 2 && current.cpuLimit === 4
  expect(reasons.includes('CPU: the limit is 100m, so that the container can start.')).toBe(says)
})

test('a limit set by a quantile is at least the highest usage and the request', () => {
  const { cpu, reasons } = recommendWith({ limits: 'quantile' })
  expect(cpu!.limit).toBeGreaterThanOrEqual(0.9)
  expect(cpu!.limit).toBeGreaterThanOrEqual(cpu!.target)
  expect(reasons.join(' ')).toMatch(/a limit of .*, as limits=quantile requires/)
  expect(recommendWith({ limits: 'quantile' }, { cpuRequest: cores }).cpu).toMatchObject({
    changesLimit: true,
  })
})

test('a limit that throttles is raised; if it equals the request, both are', () => {
  const throttled = () => ({ throttledShare: 0.4, throttledMs: 300_000 })
  const raised = recommendWith({}, { cpuRequest: 4, cpuLimit: 8 }, throttled)
  expect(raised.cpu).toMatchObject({ limit: expect.closeTo(11.2, 6), changesLimit: true })
  expect(raised.reasons.join(' ')).toMatch(/throttled in 40% of periods, 120 minutes a day in total/)
  const guaranteed = recommendWith({}, { cpuRequest: 2, cpuLimit: 2 }, throttled)
  expect(guaranteed.cpu).toMatchObject({ target: expect.closeTo(2.8, 6), limit: expect.closeTo(2.8, 6) })
  expect(guaranteed.reasons.join(' ')).toMatch(/throttled by its limit, which equals its request/)
})

test('all matching rules apply; later ones override earlier ones, and the request overrides all', () => {
  const rules = [
    { limits: 'none', minCpu: 0.1 },
    { cluster: 'prod-*', maxMemory: 8 },
    { cluster: 'prod-*', namespace: 'team-a', minCpu: 0.5 },
    { namespace: 'other', minCpu: 9 },
  ] as const
  const container = { workload: 'Deployment/api', container: 'app', image: '', labelOf: () => '' }
  const place = { cluster: 'prod-eu', namespace: 'team-a', ...container }
  expect(constraintsFor(rules, { limits: 'ratio' }, place)).toEqual({
    constraints: { limits: 'ratio', minCpu: 0.5, maxMemory: 8 },
    origins: [
      { name: 'limits', rule: undefined },
      { name: 'minCpu', rule: 3 },
      { name: 'maxMemory', rule: 2 },
    ],
    matched: [1, 2, 3],
  })
  expect(constraintsFor(rules, {}, { ...container, cluster: 'test', namespace: 'x' }).constraints).toEqual({
    limits: 'none',
    minCpu: 0.1,
  })
})

test('a rule applies to containers that match all its patterns', () => {
  const place = { cluster: 'prod', namespace: 'shop', workload: 'Deployment/api' }
  const container = { ...place, container: 'app', image: 'ghcr.io/shop/api' }
  const labelOf = (name: string) => (name === 'team' ? 'payments' : '')
  const applies = (rule: SizingRule): boolean =>
    constraintsFor([{ ...rule, exclude: true }], {}, { ...container, labelOf }).constraints.exclude ?? false
  for (const rule of [
    {},
    { workload: 'api' },
    { workload: 'Deployment/*' },
    { workload: 'a*', container: 'app', namespace: 'shop' },
    { image: 'ghcr.io/shop/*' },
    { labels: { team: 'pay*' } },
    { labels: { other: '*' } },
  ])
    expect(applies(rule), JSON.stringify(rule)).toBe(true)
  for (const rule of [
    { workload: 'StatefulSet/*' },
    { workload: 'Deployment' },
    { workload: 'api', container: 'istio-*' },
    { image: 'docker.io/*' },
    { labels: { team: 'pay*', other: 'x' } },
  ])
    expect(applies(rule), JSON.stringify(rule)).toBe(false)
})

test('an excluded container stays as it is, whatever its usage', () => {
  const sizes = { cpuRequest: 4, cpuLimit: 4, memoryRequest: 8, memoryLimit: 8 }
  const { cpu, memory, reasons } = recommendWith({ exclude: true }, sizes)
  expect([cpu, memory, reasons]).toEqual([null, null, [expect.stringContaining('rule excludes it')]])
})

test('qos guaranteed sets limits that equal requests and cover the peak', () => {
  for (const current of [
    {},
    { cpuRequest: 2, memoryRequest: 4 },
    { cpuRequest: 1, cpuLimit: 4, memoryLimit: 9 },
  ]) {
    const { cpu, memory } = recommendWith({ qos: 'guaranteed' }, current)
    for (const [part, peak] of [
      [cpu!, peaks.cpu],
      [memory!, peaks.memory],
    ] as const) {
      const request = part.worthChanging ? part.target : part.current!
      expect(part.limit).toBe(request)
      expect(request).toBeGreaterThanOrEqual(peak * 1.15 - 1e-9)
    }
  }
  const capped = recommendWith({ qos: 'guaranteed', maxCpu: 0.05 }, {})
  expect([capped.cpu!.target, capped.cpu!.limit]).toEqual([0.05, 0.05])
})

test('qos burstable lets limits stay, and sizes requests that equalled them', () => {
  const equal = { cpuRequest: 2, cpuLimit: 2, memoryRequest: 8, memoryLimit: 8 }
  const [plain, burstable] = [recommendWith({}, equal), recommendWith({ qos: 'burstable' }, equal)]
  expect(plain.cpu!.limit).toBe(plain.cpu!.target)
  expect([burstable.cpu!.limit, burstable.memory!.limit]).toEqual([2, 8])
  expect(burstable.cpu!.target).toBeLessThanOrEqual(plain.cpu!.target)
  const small = recommendWith({ qos: 'burstable' }, { cpuRequest: 0.01, cpuLimit: 0.01 })
  expect(small.cpu!.limit!).toBeGreaterThan(small.cpu!.target)
})

test('the profile of a rule replaces that of the organisation', () => {
  const target = (preference: object) => recommendWith({ preference }, {}).cpu!.target
  expect(target({ profile: 'safe' })).toBeGreaterThan(target({ profile: 'cost' }))
})

test('patterns match as a regular expression would', () => {
  const letter = fc.constantFrom('a', 'b', '*')
  fc.assert(
    fc.property(
      fc.array(letter, { maxLength: 8 }),
      fc.array(fc.constantFrom('a', 'b'), { maxLength: 10 }),
      (p, t) => {
        const [pattern, text] = [p.join(''), t.join('')]
        const slow = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(text)
        expect(matchesPattern(pattern, text)).toBe(slow)
      },
    ),
    { numRuns: 2000 },
  )
  expect(matchesPattern(undefined, 'x')).toBe(true)
})
