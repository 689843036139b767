import { containerSeries, hourMs, nodeSeries, type PushedContainer, push } from '../pushed-cluster.ts'
import { eventually, type RunningService } from '../service.ts'

export const manyNamespaces = 500
export const manyContainers = 1000
export const crowded = 'crowded'
/** The longest names that Kubernetes allows. */
export const longNamespace = `a-namespace-with-a-very-long-name-${'x'.repeat(29)}`
export const longWorkload = `a-workload-with-a-very-long-name-${'y'.repeat(30)}`

// Nothing is recommended before a full day of history.
const hours = 26
const everyMs = hourMs
const nodes = 20
const seriesPerRequest = 2000

/**
 * Pushes 500 namespaces in two clusters. Two are unusual: one has 1,000 containers, the other has names of 63 letters.
 * Waits until all samples are digested.
 */
export async function pushLargeOrganisation(service: RunningService, key: string): Promise<void> {
  const toMs = Math.floor(Date.now() / hourMs) * hourMs
  const window = { fromMs: toMs - hours * hourMs, toMs, everyMs }
  const labels = {
    label_node_kubernetes_io_instance_type: 'm5.24xlarge',
    label_topology_kubernetes_io_region: 'us-east-1',
  }
  const series = [
    ...['east', 'west'].flatMap((cluster) =>
      Array.from({ length: nodes }, (_, i) =>
        nodeSeries({ cluster, name: `n${i}`, cores: 96, gib: 384, labels }, toMs),
      ).flat(),
    ),
    ...largeOrganisation().flatMap((container) => containerSeries(container, window)),
  ]
  for (let first = 0; first < series.length; first += seriesPerRequest)
    await push(service, key, series.slice(first, first + seriesPerRequest))
  // Each attempt uses another window, because an answer about so many containers is cached for minutes.
  let startMs = window.fromMs
  await eventually(async () => {
    startMs -= hourMs
    const query = `start_date=${new Date(startMs).toISOString()}&end_date=${new Date(toMs).toISOString()}`
    const { json } = await service.request(`/v1/costs?group_by=workload&step=week&${query}`, { key })
    const named = json
      .filter(({ cost_type }: Record<string, string>) => cost_type === 'usage')
      .map(({ namespace, workload }: Record<string, string>) => `${namespace} ${workload}`)
    return new Set(named).size === manyNamespaces - 1 + manyContainers
  })
}

function largeOrganisation(): PushedContainer[] {
  const sizes = { cores: 0.1, gib: 0.4, requests: { cpu: 0.4, memoryGib: 1 } }
  const plain = Array.from(
    { length: manyNamespaces - 2 },
    (_, i): PushedContainer => ({
      cluster: i % 2 === 0 ? 'east' : 'west',
      namespace: `team-${String(i).padStart(3, '0')}`,
      pod: 'web-1',
      node: `n${i % nodes}`,
      ...sizes,
      requests: { cpu: 0.2 + (i % 7) / 10, memoryGib: 1 },
    }),
  )
  const crowd = Array.from(
    { length: manyContainers },
    (_, i): PushedContainer => ({
      cluster: 'east',
      namespace: crowded,
      pod: `service-${i}-0`,
      owner: `StatefulSet/service-${i}`,
      node: `n${i % nodes}`,
      ...sizes,
    }),
  )
  const long: PushedContainer = {
    cluster: 'west',
    namespace: longNamespace,
    pod: `${longWorkload}-0`,
    owner: `StatefulSet/${longWorkload}`,
    container: `a-container-with-a-very-long-name-${'z'.repeat(29)}`,
    node: 'n1',
    ...sizes,
  }
  return [...plain, ...crowd, long]
}
