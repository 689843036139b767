import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestMarket, type TestMarket } from '../../pricing/test-market.case.ts'
import { firstHour, type SyntheticPod } from '../../usage/reading/pods.case.ts'
import type { SizesRequest } from './query.ts'
import type { ContainerRecommendation } from './schema.ts'
import { recommendFor, type SyntheticNamespace } from './test-namespaces.case.ts'

let fixture: TestMarket
let organisations = 0
beforeAll(async () => {
  fixture = await openTestMarket()
})
afterAll(() => fixture.close())

type SizingPreference = Pick<SizesRequest, 'profile' | 'risk' | 'explain'>
const ask = (namespace: SyntheticNamespace, preference: SizingPreference = {}) =>
  recommendFor(fixture.store, `org-${++organisations}`, namespace, preference)

interface Expected {
  readonly container?: string
  /** Inclusive bounds; a single number is the exact value. */
  readonly cpu?: Range
  readonly memory?: Range
  readonly cpuLimit?: Range
  readonly memoryLimit?: Range
  readonly confidence?: Range
  /** Upper bound divided by lower bound. */
  readonly width?: Range
  /** Regular expressions. */
  readonly says?: readonly string[]
  readonly saysNot?: readonly string[]
}
type Range = number | readonly [from: number, to: number]

/** Checks the path from digests in the store to the endpoint's answer, including the reason in words. */
async function check(
  namespace: SyntheticNamespace,
  expected: Expected,
  preference: SizingPreference = {},
): Promise<void> {
  const { ContainerRecommendations: found } = await ask(namespace, preference)
  const one = found[expected.container ?? 'Deployment/web/app'] as ContainerRecommendation
  const within = (range: Range | undefined, value: number | null) => {
    if (range === undefined) return
    const [from, to] = typeof range === 'number' ? [range - 5e-7, range + 5e-7] : range
    expect(value).toBeGreaterThanOrEqual(from)
    expect(value).toBeLessThanOrEqual(to)
  }
  const words = one.Reasons.join(' ')
  for (const part of expected.says ?? []) expect(words).toMatch(new RegExp(part))
  for (const part of expected.saysNot ?? []) expect(words).not.toMatch(new RegExp(part))
  expect(one.MemoryLeak).toBe(words.includes('looks like a leak'))
  within(expected.cpu, one.CPU.Requests.Recommended)
  within(expected.memory, one.Memory.Requests.Recommended)
  within(expected.cpuLimit, one.CPU.Limits.Recommended)
  within(expected.memoryLimit, one.Memory.Limits.Recommended)
  within(expected.confidence, one.Confidence)
  for (const size of [one.CPU.Requests, one.CPU.Limits, one.Memory.Requests, one.Memory.Limits]) {
    // A limit that follows no request has no bounds.
    if (size.LowerBound === null || size.Recommended === null) continue
    expect(size.Recommended).toBeGreaterThanOrEqual(size.LowerBound)
    expect(size.Recommended).toBeLessThanOrEqual(size.UpperBound!)
  }
  const { LowerBound, UpperBound } = one.Memory.Requests
  if (expected.width !== undefined) within(expected.width, UpperBound! / LowerBound!)
}

const web: SyntheticPod = { cores: 0.5, gib: 1, cpuRequest: 2, memoryRequest: 4 }
const day = (hour: number) => Math.floor((hour - firstHour) / 24)
const replica = (number: number, over: SyntheticPod = {}): SyntheticPod => ({
  ...web,
  pod: `web-${number}`,
  ...over,
})

test.each<[string, SyntheticNamespace, Expected]>([
  [
    'a calm container is asked for a little more than it uses',
    { pods: [web] },
    {
      cpu: [0.5, 0.8],
      memory: [1, 1.6],
      confidence: [0.6, 1],
      says: [
        'CPU: p99 0.5 cores, peak 0.5 cores in 14 days; .* with the balanced profile: no usage above',
        'Memory: p99 .* in 14 days; ',
      ],
    },
  ],
  [
    'replicas are judged together',
    { pods: [replica(1, { cores: 0.4 }), replica(2, { cores: 0.6 }), replica(3, { cores: 0.5 })] },
    { cpu: [0.6, 1], saysNot: ['busier than the others'] },
  ],
  [
    'a busy leader is not averaged away',
    { pods: [replica(0, { cores: 1.6 }), ...[1, 2, 3, 4, 5, 6].map((n) => replica(n, { cores: 0.05 }))] },
    { cpu: [1.6, 2.4], says: ['one replica is always busier than the others'] },
  ],
  [
    'a sidecar is sized by its own',
    {
      pods: [web, { container: 'proxy', cores: 0.05, gib: 0.2, cpuRequest: 1, memoryRequest: 1 }],
    },
    { container: 'Deployment/web/proxy', cpu: [0.05, 0.1], memory: [0.2, 0.35] },
  ],
  [
    'an init container is sized by its own, and said to be one',
    {
      pods: [
        web,
        ...Array.from({ length: 56 }, (_, n) => ({
          pod: `web-${n}`,
          container: 'migrate',
          init: true,
          from: firstHour + 6 * n,
          hours: 1,
          cores: 0.9,
          gib: 0.5,
          cpuRequest: 4,
          memoryRequest: 4,
        })),
      ],
    },
    { container: 'Deployment/web/migrate', cpu: [0.9, 1.6], memory: [0.5, 0.9], says: ['Init container'] },
  ],
  [
    'one that stays is a sidecar',
    { pods: [web, { ...web, container: 'mesh', init: true, cores: 0.2, gib: 0.5 }] },
    {
      container: 'Deployment/web/mesh',
      cpu: [0.2, 0.35],
      memory: [0.5, 0.9],
      saysNot: ['Init container'],
    },
  ],
  [
    'a CronJob is sized by its runs, not by the time between',
    {
      pods: [
        {
          workload: 'CronJob/bill',
          cores: 1.5,
          gib: 2,
          cpuRequest: 4,
          memoryRequest: 8,
          runsAt: (hour) => hour % 24 === 1,
        },
      ],
    },
    { container: 'CronJob/bill/app', cpu: [1.5, 2.4], memory: [2, 3.2], says: ['Runs intermittently'] },
  ],
  [
    'short work of any other kind is recognised as well',
    { pods: [{ ...web, workload: 'Workflow/etl', runsAt: (hour) => hour % 24 < 3 }] },
    { container: 'Workflow/etl/app', cpu: [0.5, 0.8], says: ['Runs intermittently'] },
  ],
  [
    'a start-up spike is left to the limit',
    {
      pods: [
        {
          ...web,
          cpuLimit: 4,
          cores: (hour) => (hour % 20 === 0 ? 3.5 : 0.2),
          startsAt: (hour) => hour % 20 === 0,
        },
      ],
    },
    { cpu: [0.2, 0.4], cpuLimit: [3.5, 4], says: ['peaks of 3.5 cores occur only at startup'] },
  ],
  [
    'a spike that comes without a start counts',
    { pods: [{ ...web, cpuRequest: 0.5, cpuLimit: 4, cores: (hour) => (hour % 20 === 0 ? 3.5 : 0.2) }] },
    { cpu: [2.2, 5], saysNot: ['occur only at startup'] },
  ],
  [
    'and where the limit is the request it has no other place',
    {
      pods: [
        {
          ...web,
          cpuLimit: 2,
          cores: (hour) => (hour % 20 === 0 ? 1.9 : 0.2),
          startsAt: (hour) => hour % 20 === 0,
        },
      ],
    },
    { cpu: [1, 3], saysNot: ['occur only at startup'] },
  ],
  [
    'throttling counts as demand: held back in half of the periods, half more',
    { pods: [{ ...web, cores: 1, cpuLimit: 1, cpuRequest: 1, periods: 36_000, throttledPeriods: 18_000 }] },
    { cpu: [1.5, 2.2], cpuLimit: [1.5, 2.2], says: ['throttled in 50% of periods'] },
  ],
  [
    'a kill for lack of memory raises it at once: 1.2 x the limit',
    {
      pods: [
        { ...web, memoryRequest: 2, memoryLimit: 2, oomEvents: (hour) => (hour === firstHour + 335 ? 1 : 0) },
      ],
    },
    { memory: [2.4, 2.401], memoryLimit: [2.4, 2.401], says: ['OOM-killed once'] },
  ],
  [
    'and where the limit was above the request, it is not multiplied too',
    { pods: [{ ...web, memoryRequest: 1, memoryLimit: 4, oomEvents: (hour) => (day(hour) === 13 ? 1 : 0) }] },
    { memory: [4.8, 4.801], memoryLimit: [4.8, 4.801], says: ['OOM-killed 24 times'] },
  ],
  [
    'a limit that rare peaks set is within its bounds',
    {
      pods: [{ ...web, cores: (hour) => (hour === firstHour + 40 ? 3.5 : 0.1), cpuRequest: 4, cpuLimit: 5 }],
    },
    { cpu: [0.1, 1], cpuLimit: [4, 4.1] },
  ],
  [
    'kills of long ago are forgotten',
    { days: 30, pods: [{ ...web, memoryLimit: 4, oomEvents: (hour) => (day(hour) === 2 ? 1 : 0) }] },
    { memory: [1, 1.6], saysNot: ['OOM-killed'] },
  ],
  [
    'a limit that has been sufficient since a kill is not raised again',
    {
      pods: [{ ...web, memoryRequest: 4, memoryLimit: 4, oomEvents: (hour) => (day(hour) === 4 ? 1 : 0) }],
    },
    { memory: 4, memoryLimit: 4, says: ['OOM-killed 24 times in the last 14 days'] },
  ],
  [
    'memory that grows is not reduced below a limit at which it would be killed',
    { pods: [{ ...web, gib: (hour) => 1 + day(hour) / 8, memoryRequest: 8, memoryLimit: 8 }] },
    { memory: 8, memoryLimit: 8, says: ['and not reduced, because the container is killed at its limit'] },
  ],
  [
    'a peak once a week stays below a limit that equals the request',
    {
      pods: [
        {
          ...web,
          ...{ cpuRequest: 4.5, cpuLimit: 4.5, memoryRequest: 9, memoryLimit: 9 },
          cores: (hour) => (hour % 168 < 4 ? 4 : 0.3),
          gib: (hour) => (hour % 168 < 4 ? 7 : 2),
        },
      ],
    },
    {
      ...{ cpu: [4, 4.5], cpuLimit: [4, 4.5], memory: [7.9, 8.2], memoryLimit: [7.9, 8.2] },
      says: [
        'Memory: the limit equals the request, and the container is killed above it, so both are at least 8',
      ],
    },
  ],
  [
    'a request that was much too small does not multiply the limit',
    {
      pods: [
        {
          ...web,
          ...{ cpuRequest: 0.01, cpuLimit: 2, memoryRequest: 0.125, memoryLimit: 4, cores: 0.33, gib: 2 },
        },
      ],
    },
    { cpu: [0.33, 0.5], cpuLimit: 2, memory: [2, 2.6], memoryLimit: 4 },
  ],
  [
    'growing memory is named, not followed',
    { pods: [{ ...web, gib: (hour) => 1 + day(hour) / 8, memoryRequest: 1.5, memoryLimit: 4 }] },
    { memory: [2.625, 2.63], says: ['grown for 13 days by about 0.125 GiB a day, which looks like a leak'] },
  ],
  [
    'an autoscaled workload that is scaled out is left alone',
    {
      pods: [1, 2, 3].map((n) => replica(n, { cores: 0.7, cpuRequest: 1 })),
      autoscaler: { workload: 'Deployment/web', cpuTarget: 70 },
    },
    { cpu: 1, says: ['an autoscaler keeps usage at 70% of the request'] },
  ],
  [
    'so that it does not grow as replicas go',
    {
      pods: [1, 2].map((n) => replica(n, { cores: 0.95, cpuRequest: 1 })),
      autoscaler: { workload: 'Deployment/web', cpuTarget: 90 },
    },
    { cpu: 1, says: ['left as it is'] },
  ],
  [
    'and one that idles at its least is lowered as far as the target lets it: 0.1 / 0.5',
    { pods: [replica(1, { cores: 0.1 })], autoscaler: { workload: 'Deployment/web', cpuTarget: 50 } },
    { cpu: [0.2, 0.203], says: ['kept high enough: a smaller one would add replicas'] },
  ],
  [
    'one of many replicas at their least may run fewer of them',
    {
      pods: [1, 2, 3, 4, 5, 6].map((n) => replica(n, { cores: 0.1, cpuRequest: 1 })),
      autoscaler: { workload: 'Deployment/web', cpuTarget: 50 },
    },
    {
      says: [
        'Replicas: with a minimum of 2 .now 6., a maximum of 10 .as it is., and a target of 90% .now 50%. of the CPU request',
      ],
    },
  ],
  [
    'an autoscaler of memory likewise',
    {
      pods: [replica(1, { gib: 3, memoryRequest: 4 })],
      autoscaler: { workload: 'Deployment/web', memoryTarget: 75 },
    },
    { memory: [3.99, 4], says: ['Memory: an autoscaler keeps usage at 75%'] },
  ],
  [
    'a decrease of less than 10% is not proposed',
    { pods: [{ ...web, cpuRequest: 0.55, memoryRequest: 1.1 }] },
    {
      cpu: 0.55,
      memory: 1.1,
      says: ['CPU request stays as it is: a decrease of less than 10%', 'Memory request stays'],
    },
  ],
  [
    'savings of less than a cent a day are not proposed',
    { pods: [{ ...web, cores: 0.002, cpuRequest: 0.02 }] },
    { cpu: 0.02, says: ['CPU request stays as it is: savings of less than a cent a day'] },
  ],
  [
    'but it is where many replicas make it more',
    { pods: Array.from({ length: 8 }, (_, n) => replica(n, { cores: 0.002, cpuRequest: 0.02 })) },
    { cpu: 0.01, saysNot: ['CPU stays'] },
  ],
  [
    'not a small raise either',
    { pods: [{ ...web, gib: 1.7, memoryRequest: 1.75 }] },
    { memory: 1.75, says: ['Memory request stays'] },
  ],
  [
    'unless it was killed for lack of it',
    { pods: [{ ...web, gib: 1.7, memoryRequest: 1.95, oomEvents: (hour) => (day(hour) === 13 ? 1 : 0) }] },
    { memory: [2.03, 2.3], saysNot: ['Memory request stays'] },
  ],
  [
    'a young series has wide bounds and little confidence',
    { days: 1, pods: [web] },
    {
      ...{ confidence: [0.1, 0.3], width: [2, 20], memory: [2.5, 3] },
      says: ['Only 1 day of history', 'half of the way from 4Gi'],
    },
  ],
  [
    'a grown one has narrow ones',
    { days: 30, pods: [web] },
    { confidence: [0.7, 1], width: [1, 2], saysNot: ['bounds are wide'] },
  ],
  [
    'a few hours are too few',
    { pods: [{ ...web, from: firstHour + 331, hours: 5 }] },
    { confidence: 0, says: ['Too little data: usage of only 5 hours is known'] },
  ],
  [
    'also on a day that is over, where they were the last hours before midnight',
    { pods: [web, { ...web, workload: 'Job/once', pod: 'once', from: firstHour + 67, hours: 5 }] },
    {
      container: 'Job/once/app',
      confidence: 0,
      says: ['Too little data: usage of only 5 hours is known'],
    },
  ],
  [
    'and the hours of that day before it started are not history',
    { pods: [web, { ...web, workload: 'Job/once', pod: 'once', from: firstHour + 65, hours: 7 }] },
    { container: 'Job/once/app', says: ['Only 7 hours of history: bounds are wide'] },
  ],
  [
    'pods side by side do not make a history longer',
    {
      pods: [
        web,
        ...[1, 2, 3].map((n) => ({
          ...web,
          ...{ workload: 'Job/once', pod: `once-${n}`, from: firstHour + 69, hours: 3 },
        })),
      ],
    },
    { container: 'Job/once/app', confidence: 0, says: ['Too little data: usage of only 3 hours'] },
  ],
  [
    'one that is gone is said to be',
    { pods: [web, { ...web, workload: 'Deployment/old', pod: 'old', hours: 72 }] },
    {
      container: 'Deployment/old/app',
      says: ['^Has not run since 20..-..-.. ..:.. UTC, so patches leave it out. CPU: p99 .* in 3 days; '],
    },
  ],
  [
    'as is one that never stopped before, within hours',
    { pods: [web, { ...web, workload: 'Deployment/old', pod: 'old', hours: 336 - 5 }] },
    { container: 'Deployment/old/app', says: ['^Has not run since'] },
  ],
  [
    'but one that sleeps every night is not',
    { pods: [web, { ...web, workload: 'Deployment/old', pod: 'old', runsAt: (hour) => hour % 24 < 12 }] },
    { container: 'Deployment/old/app', saysNot: ['Has not run'] },
  ],
  [
    'and a job is not',
    { pods: [web, { ...web, workload: 'CronJob/old', pod: 'old', hours: 72 }] },
    { container: 'CronJob/old/app', saysNot: ['Has not run'] },
  ],
  [
    'no limit stays none, and nothing asked for is asked for',
    { pods: [{ cores: 0.2, gib: 0.5 }] },
    {
      cpu: [0.2, 0.35],
      memory: [0.5, 0.8],
      says: ['^Requests no CPU and no memory, .* Has no memory limit'],
    },
  ],
])('%s', (_, of, expected) => check(of, expected))

test('a stricter risk or profile never recommends less', async () => {
  const wave = {
    pods: [
      {
        ...web,
        cores: (hour: number) => 0.2 + 0.8 * Math.abs(Math.sin(hour * 0.7)),
        gib: (hour: number) => 1 + (hour % 7) / 10,
      },
    ],
  }
  const asked = async (preference: SizingPreference) => {
    const { CPU, Memory } = (await ask(wave, preference)).ContainerRecommendations['Deployment/web/app']!
    return [CPU.Requests.Recommended!, Memory.Requests.Recommended!] as const
  }
  for (const preferences of [
    [{ risk: 0.2 }, { risk: 0.05 }, { risk: 0.01 }, { risk: 0.002 }, { risk: 0 }],
    [{ profile: 'cost' }, { profile: 'balanced' }, { profile: 'safe' }],
  ]) {
    const sizes = await Promise.all(preferences.map(asked))
    for (const [index, [cpu, memory]] of sizes.slice(1).entries()) {
      expect(cpu).toBeGreaterThanOrEqual(sizes[index]![0])
      expect(memory).toBeGreaterThanOrEqual(sizes[index]![1])
    }
    expect(sizes.at(-1)![0]).toBeGreaterThan(sizes[0]![0])
  }
})

test.each<[string, SyntheticNamespace, SizingPreference, 'CPU' | 'Memory', string, RegExp]>([
  ['a profile', { pods: [web] }, {}, 'CPU', 'balanced', /lowest total cost .* of the time/],
  ['a risk', { pods: [web] }, { risk: 0.01 }, 'Memory', 'risk', /lowest total cost .* of days/],
  ['a public policy', { pods: [web] }, { profile: 'krr-simple' }, 'Memory', 'krr-simple', /times 1.15/],
  [
    'care',
    { pods: [{ ...web, memoryLimit: 4, oomEvents: (hour) => (day(hour) === 13 ? 1 : 0) }] },
    {},
    'Memory',
    'kills',
    /killed 24 times/,
  ],
  ['what is set', { pods: [{ ...web, cpuRequest: 0.55 }] }, {}, 'CPU', 'worth', /less than 10%/],
])('explain: decided by %s', async (_, namespace, preference, resource, by, says) => {
  const { Explanation, ...one } = (await ask(namespace, { ...preference, explain: true }))
    .ContainerRecommendations['Deployment/web/app']!
  const { Estimates, Days, LearntFromDays } = Explanation![resource]
  expect([Days, LearntFromDays]).toEqual([14, 0])
  const decided = Estimates.filter(({ Decided }) => Decided)
  expect(decided.map(({ By }) => By)).toEqual([by])
  expect(decided[0]!.Steps[0]!.Says).toMatch(says)
  const reasons = Explanation!.Reasons!.filter(({ Resource }) => Resource === resource.toLowerCase())
  expect(reasons.map(({ Code }) => Code)).toContain(by)
  const names = reasons.flatMap(({ Figures }) => Figures.map(({ Name }) => Name))
  expect(names).toEqual(expect.arrayContaining(['p99', 'peak', 'days', 'above']))
  // Sizes are rounded up to millicores and MiB.
  const { Recommended } = one[resource].Requests
  expect(Recommended! - decided[0]!.Value!).toBeGreaterThan(-1e-5)
  expect(Recommended! - decided[0]!.Value!).toBeLessThanOrEqual(0.001)
  for (const name of ['cost', 'balanced', 'safe', 'vpa', 'krr-simple', 'aws-compute-optimizer'])
    expect(Estimates.map(({ By }) => By)).toContain(name)
})
