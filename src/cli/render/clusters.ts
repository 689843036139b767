import { dollars } from '../../domain/money.ts'
import type { ClusterRecommendation, NodePoolView } from '../../recommendations/clusters/schema.ts'
import { formatPercent, printable, size } from './figures.ts'
import { renderTable } from './table.ts'

export const renderClusters = (clusters: readonly ClusterRecommendation[]): string =>
  clusters.length === 0 ? 'No cluster has a history of usage.' : clusters.map(renderCluster).join('\n\n')

function renderCluster(cluster: ClusterRecommendation): string {
  const { nodes, options, cost_per_month: cost, pods_without_node: unplaced } = cluster
  const perMonth = (usd: number | null) => (usd === null ? '-' : dollars(usd))
  const rows = [
    ['now', poolsText(nodes), perMonth(cost.now), ''],
    ...options.map(({ effort, spot_share, pools, cost_per_month, savings }) => [
      spot_share > 0 ? `${effort}, spot` : effort,
      `${poolsText(pools)}${placeText(effort, pools)}`,
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

/** What to do for the cheapest option at the present place. */
function stepsOf({ options }: ClusterRecommendation): string[] {
  const best = options.findLast(({ effort, spot_share }) => spot_share === 0 && !isElsewhere(effort))
  if (best === undefined) return []
  return [`In this order, for ${best.effort}:`, ...best.steps.map((step, index) => `${index + 1}. ${step}`)]
}

const isElsewhere = (effort: string): boolean => effort === 'region' || effort === 'provider'

/** Where the nodes would be, if that is not where they are now. */
const placeText = (effort: string, [first]: readonly NodePoolView[]): string =>
  isElsewhere(effort) ? ` (${first?.provider} ${first?.region})` : ''

const poolsText = (pools: readonly NodePoolView[]): string =>
  pools
    .map(
      ({ count, instance_type, shared_vcpus }) =>
        `${count} x ${printable(instance_type ?? '?')}${shared_vcpus ? ' with shared vCPUs' : ''}`,
    )
    .join(', ')
