import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hourMs } from '../../domain/time.ts'
import { Accumulator } from './accumulator.ts'
import { collectChanges, settleChanges } from './checkpoint.ts'
import {
  bytesOf,
  combine,
  crashes,
  digest,
  digestWithCrashes,
  limits,
  measure,
  type Sample,
  subject,
  t0,
} from './samples.case.ts'

test('a rate is weighted by its seconds, and the sum is exactly the CPU time', () => {
  const [hour] = digest([
    [measure('cpu'), 10, 5],
    [measure('cpu'), 25, 8.75],
    [measure('cpu'), 55, 9.5],
  ])
  expect(hour?.cpu.count).toBe(45)
  expect(hour?.cpu.sum).toBe(4_500_000)
  expect([hour?.cpu.min, hour?.cpu.max]).toEqual([25_000, 250_000])
  expect([hour?.samples, hour?.firstAt, hour?.lastAt]).toEqual([3, t0 / 1000 + 10, t0 / 1000 + 55])
})

test('an interval across the hour is divided by time', () => {
  const [first, second] = digest([
    [measure('cpu'), 3590, 0],
    [measure('cpu'), 3620, 3],
  ])
  expect([first?.cpu.count, first?.cpu.sum, first?.cpu.max]).toEqual([10, 1_000_000, 100_000])
  expect([second?.cpu.count, second?.cpu.sum, second?.cpu.max]).toEqual([20, 2_000_000, 100_000])
})

test('a counter that was reset counts from 0; a gap of more than an hour is not counted', () => {
  const into = new Accumulator(limits)
  const [first, ...later] = digest(
    [
      [measure('cpu'), 0, 100],
      [measure('cpu'), 10, 1],
      [measure('cpu'), 3700, 500],
      [measure('cpu'), 3710, 501],
    ],
    into,
  )
  expect([first?.cpu.sum, first?.cpu.count]).toEqual([1_000_000, 10])
  expect(later.map(({ cpu }) => [cpu.sum, cpu.count])).toEqual([[1_000_000, 10]])
  expect([into.resets, into.gaps]).toEqual([1, 1])
})

test('wrong samples are left out, and counted by reason', () => {
  const into = new Accumulator(limits)
  const series = into.register(measure('memory'))!
  const now = t0 + 3 * hourMs
  const put = (atMs: number, value: number) => into.sample(series, atMs, value, now)
  put(now, 100)
  put(now, 100)
  put(now - 1, 100)
  put(now + 1, Number.NaN)
  put(now + 1, Number.POSITIVE_INFINITY)
  put(now + 1, -1)
  put(now + 1, 2 ** 60)
  put(Date.UTC(2001, 0), 1)
  put(now + 24 * hourMs, 1)
  const counted = Object.entries(into.counts).filter(([, count]) => count > 0)
  expect(Object.fromEntries(counted)).toEqual({
    accepted: 1,
    duplicate: 1,
    out_of_order: 1,
    not_finite: 2,
    negative: 1,
    absurd: 1,
    too_old: 1,
    in_the_future: 1,
  })
  expect(combine(collectChanges(into).subjects)[0]?.memory.count).toBe(1)
})

test('of two sources one counts, until it stops or a better one starts', () => {
  const twin = (seconds: number, source: number, rank = 0): Sample => [
    measure('memory', { source, rank, instance: source }),
    seconds,
    1000 * source,
  ]
  const [hour] = digest([
    twin(0, 1),
    twin(1, 2),
    twin(15, 1),
    twin(16, 2),
    twin(400, 2),
    twin(401, 1),
    twin(410, 3, 5),
  ])
  expect([...hour!.memory].map(({ count }) => count)).toEqual([2, 1, 1])
})

test('a restarted container has new labels; its old series is left out', () => {
  const life = (instance: number, seconds: number, value: number): Sample => [
    measure('cpu', { instance }),
    seconds,
    value,
  ]
  const [hour] = digest([
    life(1, 0, 50),
    life(1, 15, 65),
    life(2, 30, 1),
    life(1, 31, 65),
    life(2, 45, 4),
    life(1, 46, 65),
  ])
  expect([hour?.cpu.count, hour?.cpu.sum]).toEqual([30, 18_000_000])
})

test('user and system time of processes are added up if both are known', () => {
  const [hour] = digest([
    [measure('cpuUser'), 0, 1],
    [measure('cpuSystem'), 0, 1],
    [measure('cpuSystem'), 10, 2],
    [measure('cpuUser'), 10, 3],
    [measure('cpuUser'), 20, 4],
  ])
  expect([hour?.cpu.count, hour?.cpu.sum]).toEqual([10, 3_000_000])
})

test('containers get their node and workload from the pod, and a ReplicaSet gets its Deployment', () => {
  const pod = { fact: 'pod', cluster: 'c', namespace: 'n', pod: 'web-7-x' } as const
  const replicaSet = { kind: 'replica-set', cluster: 'c', namespace: 'n', name: 'web-7' } as const
  const [hour] = digest([
    [measure('memory'), 5, 10],
    [{ ...pod, texts: { workload: 'ReplicaSet/web-7' } }, 6, 1],
    [{ ...pod, texts: { node: 'node-1' } }, 6, 1],
    [{ ...pod, texts: { node: 'node-0' } }, 6, 0],
    [{ fact: 'entity', entity: replicaSet, texts: { owner: 'Deployment/web' } }, 7, 1],
    [{ fact: 'setting', setting: 'cpuRequest', subject, init: false }, 6, 0.25],
    [{ fact: 'setting', setting: 'cpuRequest', subject, init: false }, 36, 0.2],
    [{ fact: 'text', subject, name: 'terminatedReason', text: 'OOMKilled' }, 36, 1],
    [measure('restarts'), 6, 4],
    [measure('restarts'), 36, 5],
  ])
  expect(hour).toMatchObject({
    node: { text: 'node-1' },
    workload: { text: 'Deployment/web' },
    cpuRequestMicrocores: { last: 200_000, max: 250_000 },
    terminatedReason: { text: 'OOMKilled' },
    restarts: 1,
  })
})

test('one subject too many is refused', () => {
  const into = new Accumulator({ ...limits, maxSubjects: 1 })
  expect(into.register(measure('cpu'))).toBeDefined()
  expect(into.register(measure('memory'))).toBeDefined()
  expect(into.register(measure('cpu', { subject: { ...subject, pod: 'other' } }))).toBeUndefined()
})

const stream = fc
  .array(
    fc.record({
      step: fc.integer({ min: 0, max: 2000 }),
      what: fc.constantFrom('cpu', 'memory', 'throttled', 'restarts', 'oom', 'pod', 'request'),
      value: fc.integer({ min: 0, max: 1000 }),
      life: fc.integer({ min: 1, max: 2 }),
    }),
    { maxLength: 40 },
  )
  .map((items) => {
    let seconds = 0
    // Facts about a pod are not kept on their own: those reported before its first container is known are reported
    // again at the next scrape.
    const first: Sample = [measure('memory'), 0, 1]
    const rest = items.map(({ step, what, value, life }): Sample => {
      seconds += step / 10
      if (what === 'pod')
        return [
          { fact: 'pod', cluster: 'c', namespace: 'n', pod: 'web-7-x', texts: { node: `node-${life}` } },
          seconds,
          1,
        ]
      if (what === 'request')
        return [{ fact: 'setting', setting: 'memoryLimit', subject, init: false }, seconds, value]
      return [measure(what as 'cpu', { instance: life }), seconds, value]
    })
    return [first, ...rest]
  })

test('the division into batches, crashes at any point and repeated batches do not change the digests', () => {
  fc.assert(
    fc.property(stream, crashes, (samples, plan) => {
      expect(bytesOf(digestWithCrashes(samples, plan))).toBe(bytesOf(digest(samples)))
    }),
    { numRuns: 1000 },
  )
})

test('CPU time and seconds equal those of an exact twin, for any timing', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1000, max: 3_600_000 }), fc.integer({ min: 0, max: 10_000_000 })), {
        minLength: 2,
        maxLength: 50,
      }),
      (steps) => {
        const into = new Accumulator({ ...limits, maxAgeMs: Number.POSITIVE_INFINITY })
        const series = into.register(measure('cpu'))!
        let at = t0
        let micros = 0
        for (const [step, more] of steps) {
          at += step
          micros += more
          into.sample(series, at, micros / 1e6, at)
        }
        const digests = combine(collectChanges(into).subjects)
        const from = t0 + steps[0]![0]
        const sum = digests.reduce((total, { cpu }) => total + cpu.sum, 0)
        const seconds = digests.reduce((total, { cpu }) => total + cpu.count, 0)
        expect(sum).toBe(micros - steps[0]![1])
        expect(seconds).toBe(Math.floor(at / 1000) - Math.floor(from / 1000))
        const fastest = Math.max(...steps.slice(1).map(([step, more]) => Math.round((more * 1000) / step)))
        expect(Math.max(...digests.map(({ cpu }) => (cpu.count ? cpu.max : 0)))).toBe(fastest)
      },
    ),
  )
})

test('a subject that was removed and started again is not replaced when an old series of it continues', () => {
  const into = new Accumulator(limits)
  const at = (series: ReturnType<Accumulator['register']>, hours: number, value: number) =>
    into.sample(series!, t0 + hours * hourMs, value, t0 + hours * hourMs)
  const [cpu, other] = [
    into.register(measure('cpu')),
    into.register(measure('memory', { subject: { ...subject, pod: 'other' } })),
  ]
  at(cpu, 0, 1)
  settleChanges(into, collectChanges(into))
  at(other, 60, 1)
  settleChanges(into, collectChanges(into))
  expect(into.evict()).toHaveLength(1)
  const memory = into.register(measure('memory'))
  at(memory, 61, 5)
  at(cpu, 61, 2)
  at(memory, 61.1, 7)
  at(cpu, 61.1, 3)
  const rows = collectChanges(into).subjects.filter(({ key }) => key.includes(subject.pod))
  expect(combine(rows).map(({ memory, cpu }) => [memory.count, cpu.sum])).toEqual([[2, 1_000_000]])
})

test('labels that are not stored are not kept with their series either', () => {
  const into = new Accumulator({ ...limits, keptLabels: new Set(['team']) })
  const labels = { team: 'a', other: 'b' }
  const pod = { fact: 'pod', cluster: 'c', namespace: 'n', pod: 'p', texts: {}, labels } as const
  const namespace = { kind: 'namespace', cluster: 'c', namespace: 'n', name: 'n' } as const
  for (const meaning of [pod, { fact: 'entity', entity: namespace, labels } as const])
    expect(into.register(meaning)?.meaning).toMatchObject({ ...meaning, labels: { team: 'a' } })
  expect(JSON.stringify(into.register(pod))).not.toContain('other')
})
