/** What a metric, or the first of several that arrives, makes possible. */
interface NeededMetric {
  readonly metrics: readonly string[]
  readonly unlocks: string
  /** Whether hardly anything can be said without it. */
  readonly isEssential?: boolean
  /** Whether a cluster may have nothing that it is about. */
  readonly isOptional?: boolean
}

/** In order of importance. */
export const clusterMetrics: readonly NeededMetric[] = [
  {
    metrics: ['container_cpu_usage_seconds_total'],
    unlocks: 'CPU usage: sizes and costs of containers',
    isEssential: true,
  },
  {
    metrics: ['container_memory_working_set_bytes'],
    unlocks: 'memory usage: sizes and costs of containers',
    isEssential: true,
  },
  {
    metrics: ['kube_pod_container_resource_requests'],
    unlocks: 'requests: savings, patches and costs by request',
    isEssential: true,
  },
  { metrics: ['kube_pod_container_resource_limits'], unlocks: 'limits: advice on limits' },
  { metrics: ['kube_pod_owner'], unlocks: 'workloads: pods of a workload are sized together' },
  { metrics: ['kube_replicaset_owner'], unlocks: 'Deployments instead of their ReplicaSets' },
  { metrics: ['kube_pod_info'], unlocks: 'the node of a pod, and so its price' },
  {
    metrics: ['kube_node_labels', 'node_cpu_hourly_cost'],
    unlocks: 'prices of nodes (start kube-state-metrics with --metric-labels-allowlist=nodes=[*])',
  },
  { metrics: ['kube_node_status_capacity'], unlocks: 'idle cost and recommendations for nodes' },
  { metrics: ['container_cpu_cfs_throttled_periods_total'], unlocks: 'throttling by CPU limits' },
  {
    metrics: ['kube_pod_container_status_last_terminated_reason', 'container_oom_events_total'],
    unlocks: 'OOM kills',
  },
  { metrics: ['kube_pod_container_status_restarts_total'], unlocks: 'restarts and crash loops' },
  { metrics: ['container_start_time_seconds'], unlocks: 'the time before the first sample of short jobs' },
  { metrics: ['container_memory_rss'], unlocks: 'memory without page cache' },
  {
    metrics: ['kube_persistentvolumeclaim_info', 'kube_persistentvolume_info'],
    unlocks: 'costs of volumes, if there are any',
    isOptional: true,
  },
  {
    metrics: ['kubelet_volume_stats_used_bytes'],
    unlocks: 'how full volumes are, and smaller ones',
    isOptional: true,
  },
  {
    metrics: ['kube_pod_spec_volumes_persistentvolumeclaims_info'],
    unlocks: 'claims that no pod uses',
    isOptional: true,
  },
  {
    metrics: ['kube_service_spec_type'],
    unlocks: 'costs of load balancers, if there are any',
    isOptional: true,
  },
  {
    metrics: ['container_network_transmit_bytes_total'],
    unlocks: 'what the network costs at most, if you set its price',
    isOptional: true,
  },
]

export const machineMetrics: readonly NeededMetric[] = [
  {
    metrics: ['cheapside_process_cpu_seconds_total', 'namedprocess_namegroup_cpu_seconds_total'],
    unlocks: 'CPU usage of processes',
    isEssential: true,
  },
  {
    metrics: ['cheapside_process_memory_bytes', 'namedprocess_namegroup_memory_bytes'],
    unlocks: 'memory usage of processes',
    isEssential: true,
  },
  { metrics: ['cheapside_machine_info'], unlocks: 'instance type and region, and so the price' },
  { metrics: ['cheapside_machine_cpu_cores'], unlocks: 'the size of the machine' },
]

/** Those of which no metric is among the names. */
export const missingOf = (needed: readonly NeededMetric[], has: (name: string) => boolean): NeededMetric[] =>
  needed.filter(({ metrics }) => !metrics.some(has))
