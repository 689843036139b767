/** What a metric, or the first of several that arrives, makes possible. */
interface NeededMetric {
  readonly metrics: readonly string[]
  readonly unlocks: string
  /** Whether hardly anything can be said without it. */
  readonly isEssential?: boolean
  /** Whether a cluster may have nothing that it is about. */
  readonly isOptional?: boolean
}

const essential = (metrics: string[], unlocks: string) => ({ metrics, unlocks, isEssential: true })
const optional = (metrics: string[], unlocks: string) => ({ metrics, unlocks, isOptional: true })

/** In order of importance. */
export const clusterMetrics: readonly NeededMetric[] = [
  essential(['container_cpu_usage_seconds_total'], 'CPU usage: sizes and costs of containers'),
  essential(['container_memory_working_set_bytes'], 'memory usage: sizes and costs of containers'),
  essential(['kube_pod_container_resource_requests'], 'requests: savings, patches and costs by request'),
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
  optional(
    ['kube_persistentvolumeclaim_info', 'kube_persistentvolume_info'],
    'costs of volumes, if there are any',
  ),
  optional(['kubelet_volume_stats_used_bytes'], 'how full volumes are, and smaller ones'),
  optional(['kube_pod_spec_volumes_persistentvolumeclaims_info'], 'claims that no pod uses'),
  optional(['kube_service_spec_type'], 'costs of load balancers, if there are any'),
  optional(
    ['container_network_transmit_bytes_total'],
    'what the network costs at most, if you set its price',
  ),
]

export const machineMetrics: readonly NeededMetric[] = [
  essential(
    ['cheapside_process_cpu_seconds_total', 'namedprocess_namegroup_cpu_seconds_total'],
    'CPU usage of processes',
  ),
  essential(
    ['cheapside_process_memory_bytes', 'namedprocess_namegroup_memory_bytes'],
    'memory usage of processes',
  ),
  { metrics: ['cheapside_machine_info'], unlocks: 'instance type and region, and so the price' },
  { metrics: ['cheapside_machine_cpu_cores'], unlocks: 'the size of the machine' },
]

/** Those of which no metric is among the names. */
export const missingOf = (needed: readonly NeededMetric[], has: (name: string) => boolean): NeededMetric[] =>
  needed.filter(({ metrics }) => !metrics.some(has))
