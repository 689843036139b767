/**
 * Ways to cut the series of a metric in two, for engines that limit how many one answer may hold: matchers on how the name of
 * what they tell of ends, and on how it does not. All series of one container or process fall on the same side, and every
 * series on one.
 */
export const maxCuts = 8

/** The two halves of the next cut. */
export function cut(metric: string, cuts: number): [string, string] {
  const label = nameLabels.find(([prefix]) => metric.startsWith(prefix))![1]
  const [bit, after] = cuts < 5 ? [cuts, ''] : [cuts - 5, '.']
  const ends = [...alphabet].filter((_, place) => place & (1 << bit)).join('')
  const pattern = `".*[${ends}]${after}"`
  return [`${label}=~${pattern}`, `${label}!~${pattern}`]
}

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'

/** The label that distinguishes most series of a metric; the first match. */
const nameLabels = [
  ['kube_namespace_', 'namespace'],
  ['kube_replicaset_', 'replicaset'],
  ['kube_job_', 'job_name'],
  ['kube_resourcequota', 'namespace'],
  ['kube_horizontalpodautoscaler_', 'horizontalpodautoscaler'],
  ['kube_node_', 'node'],
  ['node_', 'node'],
  ['namedprocess_', 'groupname'],
  ['cheapside_process_', 'process'],
  ['cheapside_', 'vm'],
  ['', 'pod'],
] as const
