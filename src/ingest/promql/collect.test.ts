import fc from 'fast-check'
import { expect, test } from 'vitest'
import { knownMetrics } from '../metrics/interpret.ts'
import { cut, maxCuts } from './collect.ts'

/** The side of each cut on which a name is, as an engine decides: matchers are anchored at both ends. */
const sidesOf = (name: string): string =>
  Array.from({ length: maxCuts }, (_, cuts) => {
    const [, pattern = ''] = /=~"(.*)"$/.exec(cut('container_cpu_usage_seconds_total', cuts)[0]) ?? []
    return new RegExp(`^(?:${pattern})$`).test(name) ? '1' : '0'
  }).join('')

test('pods of a Deployment and of a StatefulSet are divided about evenly', () => {
  const ends = fc.sample(
    fc.string({ unit: fc.constantFrom(...'bcdfghjklmnpqrstvwxz2456789'), minLength: 5, maxLength: 5 }),
    2000,
  )
  const check = (names: readonly string[], atLeast: number) => {
    const parts = Map.groupBy(names, sidesOf)
    expect(parts.size).toBeGreaterThan(atLeast)
    expect(Math.max(...[...parts.values()].map(({ length }) => length))).toBeLessThan(names.length / 20)
  }
  check(
    ends.map((end) => `web-7d9f8b6c5-${end}`),
    100,
  )
  check(
    Array.from({ length: 2000 }, (_, ordinal) => `db-${ordinal}`),
    50,
  )
})

test('every metric is divided by a label that it has, into series that match the pattern and all others', () => {
  const labels: [RegExp, string][] = [
    [/^container_|^kube_pod_|^jvm_/, 'pod'],
    [/^kube_replicaset_/, 'replicaset'],
    [/^kube_job_/, 'job_name'],
    [/^kube_(resourcequota|limitrange)$|^kube_namespace_/, 'namespace'],
    [/^kube_horizontalpodautoscaler_/, 'horizontalpodautoscaler'],
    [/^(kube_)?node_/, 'node'],
    [/^kube_service_/, 'service'],
    [/^kube_persistentvolume_/, 'persistentvolume'],
    [/^(kube_persistentvolumeclaim|kubelet_volume)_/, 'persistentvolumeclaim'],
    [/^namedprocess_/, 'groupname'],
    [/^cheapside_process_/, 'process'],
    [/^cheapside_machine_/, 'vm'],
  ]
  for (const metric of knownMetrics) {
    const [, label] = labels.find(([names]) => names.test(metric))!
    const [has, hasNot] = cut(metric, 3)
    expect([has.replace('=~', ''), hasNot.replace('!~', '')], metric).toEqual(
      Array(2).fill(expect.stringMatching(`^${label}"`)),
    )
  }
})
