import { hashName } from '../../domain/hash-name.ts'
import { dayMs, daySeconds, hourMs } from '../../domain/time.ts'
import type { RawSeries } from '../../ingest/promql/raw-samples.ts'
import { awsProvider } from '../../providers/aws/provider.ts'
import {
  type DemoPod,
  type DemoShape,
  demoMachines,
  demoNodes,
  demoTeams,
  demoVolumes,
  placePods,
} from './world.ts'

export const demoStepMs = 1_200_000
/** Counters start at zero again at each multiple of this, as after a restart. */
const counterLifeMs = 64 * dayMs
const gib = 2 ** 30
const region = 'us-east-1'

interface Period {
  readonly fromMs: number
  /** End of the period, exclusive. */
  readonly toMs: number
}

/**
 * The samples that Prometheus and agents would have sent, always the same for the same times: what is loaded later
 * continues what was loaded before. Calls must be in order of time.
 */
export class DemoSeries {
  readonly #endMs: number
  readonly #firstMs: number
  readonly #counters = new Map<string, number>()

  /** The first and last time of the whole history. Events some days before its end are placed accordingly. */
  constructor(firstMs: number, endMs: number) {
    this.#firstMs = firstMs
    this.#endMs = endMs
  }

  between(fromMs: number, toMs: number): RawSeries[] {
    const period = { fromMs, toMs }
    return [
      ...demoNodes.flatMap(({ cluster, name, type, cores, gib: memory }) => {
        const fact = (metric: string, labels: Record<string, string>, value: number) =>
          hourly(metric, { cluster, node: name, ...labels }, period, value)
        return [
          fact('kube_node_status_capacity', { resource: 'cpu', unit: 'core' }, cores),
          fact('kube_node_status_capacity', { resource: 'memory', unit: 'byte' }, memory * gib),
          ...(type === '' ? [] : [fact('kube_node_labels', labelsOf(type), 1)]),
        ]
      }),
      ...demoTeams.map(({ cluster, namespace, team }) =>
        hourly('kube_namespace_labels', { cluster, namespace, label_team: team }, period, 1),
      ),
      ...demoVolumes.flatMap((volume) => volumeSeries(volume, period)),
      ...placePods().flatMap((pod) => this.#podSeries(pod, period)),
      ...demoMachines.flatMap((machine) => {
        const until = Math.min(toMs, this.#endMs - (machine.silentDays ?? 0) * dayMs)
        const seen = { fromMs, toMs: until }
        const { vm, type: instance_type } = machine
        const fact = (metric: string, labels: Record<string, string>, value: number) =>
          hourly(metric, { vm, ...labels }, seen, value)
        return [
          fact('cheapside_machine_info', { provider: awsProvider.key, region, instance_type }, 1),
          fact('cheapside_machine_cpu_cores', {}, machine.cores),
          fact('cheapside_machine_memory_bytes', {}, machine.gib * gib),
          ...machine.processes.flatMap(({ process, group, cgroup, cores, gib: memory, shape }) => {
            const labels = { vm, process, group, cgroup }
            const seed = seedOf(`${vm}/${process}`)
            const at = (timeMs: number) => this.#factor(seed, shape, timeMs)
            return [
              this.#counter('cheapside_process_cpu_seconds_total', labels, seen, (t) => cores * at(t).cpu),
              gauge('cheapside_process_memory_bytes', labels, seen, (t) => memory * gib * at(t).memory),
            ]
          }),
        ]
      }),
    ].filter(({ timesMs }) => timesMs.length > 0)
  }

  #podSeries({ workload, pod, node, bornDaysAgo }: DemoPod, { fromMs, toMs }: Period): RawSeries[] {
    const { cluster, namespace, owner, container, requests, limits = {}, use, shape } = workload
    const [kind, name] = owner.split('/') as [string, string]
    const replicaset = kind === 'Deployment' ? `${name}-6d4f9` : undefined
    const from = bornDaysAgo === undefined ? fromMs : Math.max(fromMs, this.#endMs - bornDaysAgo * dayMs)
    const seen = { fromMs: from, toMs }
    const place = { cluster, namespace, pod, container }
    const fact = (metric: string, labels: Record<string, string>, value: number) =>
      hourly(metric, { cluster, namespace, ...labels }, seen, value)
    const size = (metric: string, resource: 'cpu' | 'memory', value: number | undefined) =>
      value === undefined
        ? []
        : [fact(metric, { pod, container, resource, unit: resource === 'cpu' ? 'core' : 'byte' }, value)]
    const seed = seedOf(`${cluster}/${namespace}/${pod}`)
    const at = (timeMs: number) => this.#factor(seed, shape, timeMs)
    const oomPerSecond = (workload.oomKillsPerDay ?? 0) / daySeconds
    return [
      ...(replicaset === undefined
        ? []
        : [fact('kube_replicaset_owner', { replicaset, owner_kind: kind, owner_name: name }, 1)]),
      fact(
        'kube_pod_owner',
        { pod, owner_kind: replicaset ? 'ReplicaSet' : kind, owner_name: replicaset ?? name },
        1,
      ),
      fact('kube_pod_info', { pod, node }, 1),
      ...size('kube_pod_container_resource_requests', 'cpu', requests.cores),
      ...size('kube_pod_container_resource_requests', 'memory', requests.gib * gib),
      ...size('kube_pod_container_resource_limits', 'cpu', limits.cores),
      ...size('kube_pod_container_resource_limits', 'memory', limits.gib && limits.gib * gib),
      // The kernel gives no container more CPU than its limit; what it needed beyond shows as throttling.
      this.#counter('container_cpu_usage_seconds_total', place, seen, (t) =>
        Math.min(limits.cores ?? Number.POSITIVE_INFINITY, use.cores * at(t).cpu),
      ),
      gauge('container_memory_working_set_bytes', place, seen, (t) => use.gib * gib * at(t).memory),
      ...(oomPerSecond === 0
        ? []
        : ['container_oom_events_total', 'kube_pod_container_status_restarts_total'].map((metric) =>
            this.#counter(metric, place, seen, () => oomPerSecond, Math.floor),
          )),
      ...(workload.throttled === undefined
        ? []
        : [
            this.#counter('container_cpu_cfs_periods_total', place, seen, () => 10, Math.floor),
            this.#counter(
              'container_cpu_cfs_throttled_periods_total',
              place,
              seen,
              (t) => 10 * Math.min(1, workload.throttled! * at(t).cpu),
              Math.floor,
            ),
          ]),
    ]
  }

  #factor(seed: number, shape: Parameters<typeof demoFactor>[1], timeMs: number) {
    return demoFactor(seed, shape, timeMs, (timeMs - this.#firstMs) / (this.#endMs - this.#firstMs))
  }

  #counter(
    metric: string,
    labels: Record<string, string>,
    period: Period,
    perSecondAt: (timeMs: number) => number,
    shown: (value: number) => number = (value) => value,
  ): RawSeries {
    const key = [metric, ...Object.values(labels)].join('\0')
    const first = period.fromMs - (period.fromMs % counterLifeMs)
    let value =
      this.#counters.get(key) ??
      sumOf(timesOf({ fromMs: first, toMs: period.fromMs }, demoStepMs), perSecondAt)
    const series = seriesOf(metric, labels, timesOf(period, demoStepMs), (timeMs) => {
      if (timeMs % counterLifeMs === 0) value = 0
      const before = value
      value += (perSecondAt(timeMs) * demoStepMs) / 1000
      return shown(before)
    })
    this.#counters.set(key, value)
    return series
  }
}

const hourly = (metric: string, labels: Record<string, string>, period: Period, value: number): RawSeries =>
  seriesOf(metric, labels, timesOf(period, hourMs), () => value)

const gauge = (
  metric: string,
  labels: Record<string, string>,
  period: Period,
  valueAt: (timeMs: number) => number,
): RawSeries => seriesOf(metric, labels, timesOf(period, demoStepMs), valueAt)

/** A volume without a namespace is one whose claim is gone. */
function volumeSeries(
  {
    cluster,
    namespace,
    name,
    storageClass: storageclass,
    gib: size,
    usedGib,
    pod,
  }: (typeof demoVolumes)[number],
  period: Period,
): RawSeries[] {
  const of = namespace === '' ? { persistentvolume: name } : { namespace, persistentvolumeclaim: name }
  const fact = (metric: string, labels: Record<string, string>, value: number) =>
    hourly(metric, { cluster, ...of, ...labels }, period, value)
  if (namespace === '')
    return [
      fact('kube_persistentvolume_info', { storageclass }, 1),
      fact('kube_persistentvolume_capacity_bytes', {}, size * gib),
      fact('kube_persistentvolume_status_phase', { phase: 'Released' }, 1),
    ]
  return [
    fact('kube_persistentvolumeclaim_info', { storageclass, volumename: `pvc-${name}` }, 1),
    fact('kube_persistentvolumeclaim_resource_requests_storage_bytes', {}, size * gib),
    ...(pod === ''
      ? []
      : [
          fact('kube_pod_spec_volumes_persistentvolumeclaims_info', { pod }, 1),
          fact('kubelet_volume_stats_used_bytes', {}, usedGib * gib),
        ]),
  ]
}

const sumOf = (timesMs: Float64Array, perSecondAt: (timeMs: number) => number): number =>
  timesMs.reduce((sum, timeMs) => sum + (perSecondAt(timeMs) * demoStepMs) / 1000, 0)

const labelsOf = (type: string) => ({
  label_node_kubernetes_io_instance_type: type,
  label_topology_kubernetes_io_region: region,
})

/** Times that are multiples of the step, so that consecutive periods leave no time out. */
function timesOf({ fromMs, toMs }: Period, everyMs: number): Float64Array {
  const first = Math.ceil(fromMs / everyMs)
  return Float64Array.from(
    { length: Math.max(0, Math.ceil(toMs / everyMs) - first) },
    (_, i) => (first + i) * everyMs,
  )
}

function seriesOf(
  metric: string,
  labels: Record<string, string>,
  timesMs: Float64Array,
  valueAt: (timeMs: number) => number,
): RawSeries {
  return { labels: Object.entries({ __name__: metric, ...labels }), timesMs, values: timesMs.map(valueAt) }
}

const officeHours = [8, 18] as const

/** Usage at a time as a multiple of the mean. `age` is the share of the history that has passed, from 0 to 1. */
function demoFactor(seed: number, shape: DemoShape, timeMs: number, age: number) {
  const hours = timeMs / hourMs
  const hourOfDay = hours % 24
  // 1 January 1970 was a Thursday.
  const dayOfWeek = (Math.floor(hours / 24) + 4) % 7
  const isWeekend = dayOfWeek === 0 || dayOfWeek === 6
  const noise = 0.9 + 0.2 * randomOf(seed, Math.floor(timeMs / 300_000))
  const burst = randomOf(seed + 1, Math.floor(hours)) > 0.97 ? 1.8 : 1
  const wave = 1 + 0.55 * Math.sin(((hourOfDay - 9) / 24) * 2 * Math.PI)
  const isOffice = !isWeekend && hourOfDay >= officeHours[0] && hourOfDay < officeHours[1]
  const isNight = hourOfDay < 5
  const cpu = {
    day: wave * (isWeekend ? 0.75 : 1),
    office: isOffice ? 2.2 : 0.35,
    night: isNight ? 3 : 0.45,
    flat: 1,
    idle: 1,
    leak: 1,
  }[shape]
  const memory = {
    day: 0.94 + 0.06 * wave,
    office: isOffice ? 1.1 : 0.95,
    night: isNight ? 1.5 : 0.87,
    flat: 1,
    idle: 1,
    // Memory grows during a third of the history, ten days of thirty, until a restart.
    leak: 0.4 + 1.8 * ((age * 3) % 1),
  }[shape]
  return {
    cpu: cpu * noise * (shape === 'idle' ? 1 : burst),
    memory: memory * (0.985 + 0.03 * randomOf(seed + 2, Math.floor(hours))),
  }
}

/** The hash as a signed integer. */
const seedOf = (name: string): number => hashName(name) | 0

/** A pseudo-random number from 0 to 1 that depends only on the arguments. */
function randomOf(seed: number, at: number): number {
  let hash = Math.imul(seed ^ at, 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}
