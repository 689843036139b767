import { dollars } from '../../domain/money.ts'
import type { ClusterRecommendation, NodePoolView } from '../../recommendations/clusters/schema.ts'
import { formatPercent, printable, size } from './figures.ts'
import { renderTable } from './table.ts'

export function renderClusters(clusters: readonly ClusterRecommendation[], asked?: string): string {
  if (clusters.length > 0) return clusters.map(renderCluster).join('\n\n')
  return asked === undefined
    ? 'No cluster has a history of usage.'
    : `No cluster named ${printable(asked)} has a history of usage; cheapside costs --by cluster lists those that have.`
}

function renderCluster(cluster: ClusterRecommendation): string {
  const { nodes, options, cost_per_month: cost, pods_without_node: unplaced } = cluster
  const perMonth = (usd: number | null) => (usd === null ? '-' : dollars(usd))
  const rows = [
    ['now', poolsText(nodes, 'now'), perMonth(cost.now), ''],
    ...options.map(({ id, effort, pools, cost_per_month, savings }) => [
      id,
      `${poolsText(pools, 'at most')}${placeText(effort, pools)}`,
      dollars(cost_per_month),
      `${dollars(savings.amount_per_month)} (${formatPercent(savings.percentage)})`,
    ]),
    ...(cost.lower_bound === null
      ? []
      : [['lower bound, same region on demand', '', dollars(cost.lower_bound), '']]),
  ]
  return [
    `${printable(cluster.cluster)}: ${cluster.pods} pods`,
    renderTable([['OPTION', 'NODES', 'PER MONTH', 'SAVES'], ...rows], [2, 3]),
    ...unplaced.map(
      ({ workload, pods, cpu_cores, memory_gib }) =>
        `No node: ${pods} x ${printable(workload)} (${size(cpu_cores)} cores, ${size(memory_gib)} GiB)`,
    ),
    ...cluster.reasons,
    ...stepsOf(cluster),
    ...cluster.notes.map((note) => `- ${note}`),
  ].join('\n')
}

function stepsOf({ options, recommended }: ClusterRecommendation): string[] {
  const best = options.find(({ id }) => id === recommended)
  if (best === undefined) return []
  return [
    `In this order, for ${best.id}:`,
    ...best.steps.map((step, index) => `${index + 1}. ${step}`),
    ...best.commands.map((command) => `   ${command}`),
  ]
}

/** Where the nodes would be, if that is not where they are now. */
const placeText = (effort: string, [first]: readonly NodePoolView[]): string =>
  effort === 'region' || effort === 'provider' ? ` (${first?.provider} ${first?.region})` : ''

const poolsText = (pools: readonly NodePoolView[], counted: string): string =>
  pools
    .map(({ count, mean_count: mean, instance_type, shared_vcpus, usage_type }) => {
      const spot = usage_type === 'SPOT_PREEMPTIBLE' ? ' on spot' : ''
      const type = `${printable(instance_type ?? '?')}${shared_vcpus ? ' with shared vCPUs' : ''}${spot}`
      return mean === undefined
        ? `${count} x ${type}`
        : `${size(mean)} x ${type} on average (${count} ${counted})`
    })
    .join(', ')
