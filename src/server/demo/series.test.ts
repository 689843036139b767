import { expect, test } from 'vitest'
import { hourMs } from '../../domain/time.ts'
import { DemoSeries } from './series.ts'
import { demoNodes, demoWorkloads, placePods } from './world.ts'

const end = Date.UTC(2026, 10, 15)
const first = end - 30 * 24 * hourMs

test('the same times give the same samples, however they are divided into periods', () => {
  const whole = new DemoSeries(first, end).between(end - 6 * hourMs, end)
  const cut = new DemoSeries(first, end)
  const parts = [cut.between(end - 6 * hourMs, end - 2 * hourMs), cut.between(end - 2 * hourMs, end)]
  const flat = (series: typeof whole) =>
    series.flatMap(({ labels, timesMs, values }) =>
      [...timesMs].map((time, i) => `${JSON.stringify(labels)} ${time} ${values[i]}`),
    )
  expect(parts.flatMap(flat).sort()).toEqual(flat(whole).sort())
  expect(flat(whole).length).toBeGreaterThan(3_000)
  const later = new DemoSeries(first + hourMs, end + hourMs).between(end - 2 * hourMs, end)
  const lastOf = (series: typeof whole, metric: string) =>
    series.flatMap(({ labels, values }) => (labels[0]![1] === metric ? [values.at(-1)!] : []))
  for (const metric of ['container_cpu_usage_seconds_total', 'cheapside_process_cpu_seconds_total'])
    for (const [i, value] of lastOf(later, metric).entries())
      expect(value).toBeCloseTo(lastOf(parts[1]!, metric)[i]!, 3)
})

test('pods fit their nodes by request, and use no more than their limits for long', () => {
  const requested = new Map<string, number>()
  for (const { node, workload } of placePods())
    requested.set(
      `${workload.cluster}/${node}`,
      (requested.get(`${workload.cluster}/${node}`) ?? 0) + workload.requests.cores,
    )
  for (const { cluster, name, cores } of demoNodes)
    expect(requested.get(`${cluster}/${name}`) ?? 0).toBeLessThanOrEqual(cores)
  for (const { limits, use } of demoWorkloads) {
    if (limits?.gib !== undefined) expect(use.gib).toBeLessThan(limits.gib)
    if (limits?.cores !== undefined) expect(use.cores).toBeLessThan(limits.cores)
  }
})

test('the agent that has stopped sends nothing at the end; counters only increase', () => {
  const series = new DemoSeries(first, end).between(end - 24 * hourMs, end)
  const seriesNamed = (name: string) =>
    series.filter(({ labels }) => labels.some(([, value]) => value === name))
  expect(seriesNamed('edge-cache')).toEqual([])
  const counters = seriesNamed('container_cpu_usage_seconds_total')
  expect(counters.length).toBeGreaterThan(40)
  for (const { values } of counters)
    expect(values.every((value, i) => i === 0 || value >= values[i - 1]!)).toBe(true)
})

test('no container uses more than its limits, and a container with a tight CPU limit is throttled', () => {
  const series = new DemoSeries(first, end).between(first, end)
  const of = (metric: string, resource = '') =>
    series
      .map(({ labels, timesMs, values }) => ({ labels: Object.fromEntries(labels), timesMs, values }))
      .filter(({ labels }) => labels.__name__ === metric && (labels.resource ?? '') === resource)
  const limitsOf = (resource: string) =>
    new Map(
      of('kube_pod_container_resource_limits', resource).map(({ labels, values }) => [
        `${labels.cluster}/${labels.namespace}/${labels.pod}`,
        values[0]!,
      ]),
    )
  const limitOf = (limits: Map<string, number>, labels: Record<string, string>) =>
    limits.get(`${labels.cluster}/${labels.namespace}/${labels.pod}`) ?? Number.POSITIVE_INFINITY
  const [cores, bytes] = [limitsOf('cpu'), limitsOf('memory')]
  expect(cores.size).toBeGreaterThan(20)
  let atLimit = 0
  for (const { labels, timesMs, values } of of('container_cpu_usage_seconds_total')) {
    const limit = limitOf(cores, labels)
    const used = values.map((value, i) =>
      i === 0 ? 0 : (1000 * (value - values[i - 1]!)) / (timesMs[i]! - timesMs[i - 1]!),
    )
    const most = used.reduce((a, b) => Math.max(a, b))
    expect(most, labels.pod).toBeLessThanOrEqual(limit + 1e-6)
    if (most > limit - 1e-6) atLimit++
  }
  expect(atLimit).toBeGreaterThan(0)
  for (const { labels, values } of of('container_memory_working_set_bytes'))
    expect(
      values.reduce((a, b) => Math.max(a, b)),
      labels.pod,
    ).toBeLessThanOrEqual(limitOf(bytes, labels))
  expect(
    of('container_cpu_cfs_throttled_periods_total').every(
      ({ values }) => values.at(-1)! / values.length > 1000,
    ),
  ).toBe(true)
})
