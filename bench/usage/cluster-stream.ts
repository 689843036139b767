import type { LabelPairs } from '../../src/ingest/remote-write/resolver.ts'

/**
 * The series that a Prometheus sends about a cluster in each scrape: labels as kubelet, cAdvisor and kube-state-metrics
 * write them, and one unused metric for each that is used.
 */
export function clusterSeries(containers: number): LabelPairs[] {
  const series: LabelPairs[] = []
  for (let index = 0; index < containers; index++) {
    const id = index.toString(16).padStart(12, '0')
    const namespace = `team-${index % 40}`
    const pod = `service-${index % 900}-7d9f8b6c5-${id.slice(-5)}`
    const uid = `3f2a${id.slice(4)}-9c1d-4b7e-a1f0-${id}`
    const cadvisor: [string, string][] = [
      ['container', 'app'],
      ['endpoint', 'https-metrics'],
      [
        'id',
        `/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${uid}.slice/cri-containerd-${id.repeat(5)}.scope`,
      ],
      ['image', `registry.example.com/team/service-${index % 900}@sha256:${id.repeat(5)}abcd`],
      ['instance', `10.20.${index % 200}.17:10250`],
      ['job', 'kubelet'],
      ['metrics_path', '/metrics/cadvisor'],
      ['name', id.repeat(5)],
      ['namespace', namespace],
      ['node', `ip-10-20-${index % 200}-17.eu-west-1.compute.internal`],
      ['pod', pod],
      ['service', 'kube-prometheus-stack-kubelet'],
    ]
    const state: [string, string][] = [
      ['container', 'app'],
      ['instance', '10.20.3.4:8080'],
      ['job', 'kube-state-metrics'],
      ['namespace', namespace],
      ['node', `ip-10-20-${index % 200}-17.eu-west-1.compute.internal`],
      ['pod', pod],
    ]
    for (const name of cadvisorMetrics)
      series.push([['__name__', name], ['cluster', 'production'], ...cadvisor])
    for (const resource of ['cpu', 'memory'])
      series.push([
        ['__name__', 'kube_pod_container_resource_requests'],
        ['cluster', 'production'],
        ...state,
        ['resource', resource],
        ['unit', resource === 'cpu' ? 'core' : 'byte'],
      ])
  }
  return series
}

export const cadvisorMetrics = [
  'container_cpu_usage_seconds_total',
  'container_memory_working_set_bytes',
  'container_cpu_cfs_periods_total',
  'container_cpu_cfs_throttled_periods_total',
  'container_cpu_cfs_throttled_seconds_total',
  'container_start_time_seconds',
  'container_fs_reads_bytes_total',
  'container_fs_writes_bytes_total',
  'container_memory_rss',
  'container_memory_cache',
  'container_network_receive_bytes_total',
  'container_spec_memory_limit_bytes',
  'container_processes',
  'container_threads',
]

/**
 * Returns a counter for names that end in _total and a gauge for others. The value is the same for the same series and
 * scrape.
 */
export function valueAt(name: string, series: number, scrape: number): number {
  const noise = (Math.imul(series * 2654435761 + scrape * 40503, 2246822519) >>> 8) / 2 ** 24
  return name.endsWith('_total')
    ? scrape * 3 * (1 + (series % 10)) + noise * 2
    : (50 + (series % 400) + Math.floor(noise * 20)) * 2 ** 20
}
