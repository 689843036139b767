import type { SeriesToWrite } from '../../src/ingest/remote-write/encode.case.ts'
import { containerSeries, gib, hourMs, nodeSeries, push, seriesOf } from '../pushed-cluster.ts'
import { eventually, type RunningService } from '../service.ts'

export const clusterHours = 30
const stepMs = 300_000

/** Pushes two namespaces of a cluster and two machines as Prometheus and agents would, and waits until all is digested. */
export async function pushTestCluster(
  service: Pick<RunningService, 'url' | 'request'>,
  key: string,
): Promise<void> {
  const toMs = Math.floor(Date.now() / hourMs) * hourMs
  const window = { fromMs: toMs - clusterHours * hourMs, toMs }
  const times = timesOf(window)
  const wide = { requests: { cpu: 2, memoryGib: 4 }, limits: { cpu: 4, memoryGib: 6 } }
  const containers = [
    { pod: 'web-1', ...wide, cores: 0, gib: 1 },
    { pod: 'web-2', ...wide, cores: 0, gib: 1 },
    { pod: 'web-1', container: 'proxy', cores: 0.02, gib: 0.06, requests: { cpu: 0.1, memoryGib: 0.25 } },
    { pod: 'db-0', owner: 'StatefulSet/db', cores: 1.1, gib: 3.2, requests: { cpu: 0.5, memoryGib: 4 } },
    {
      pod: 'cache-0',
      owner: 'StatefulSet/cache',
      cores: 0.1,
      gib: 0.9,
      requests: { cpu: 3, memoryGib: 1 },
      oomKills: 2,
    },
    { pod: 'queue-0', namespace: 'orders/eu', owner: 'StatefulSet/queue', cores: 0.3, gib: 2, ...wide },
  ]
  const labels = {
    label_node_kubernetes_io_instance_type: 'm5.2xlarge',
    label_topology_kubernetes_io_region: 'us-east-1',
  }
  const series = [
    ...nodeSeries({ cluster: 'prod', name: 'n1', cores: 8, gib: 32, labels }, toMs),
    ...containers
      .flatMap((one) => containerSeries({ cluster: 'prod', ...one }, window))
      .filter((one) => !isCpuOf(one, 'web-')),
    ...['web-1', 'web-2'].map((pod) =>
      seriesOf(
        'container_cpu_usage_seconds_total',
        { cluster: 'prod', namespace: 'shop', pod, container: 'app' },
        counted(times, (hour) => 0.35 + 0.3 * Math.sin((hour / 24) * 2 * Math.PI) + 0.1 * wave(hour * 7)),
      ),
    ),
    ...machineSeries('build-7', times, { cores: 8, gib: 32, type: 'm5.2xlarge' }, [
      ['java', 'docker', '/docker/4f1c', 1.6, 9],
      ['postgres', 'system', '/system.slice/postgresql.service', 0.7, 5.5],
      ['node', 'user', '/user.slice/user-1000.slice', 0.3, 1.2],
      ['kubelet', 'kubernetes', '/kubepods/besteffort', 0.12, 0.4],
      ['systemd-journald', 'system', '/system.slice/systemd-journald.service', 0.02, 0.1],
      ['sshd', 'system', '/system.slice/ssh.service', 0.001, 0.02],
    ]),
    ...machineSeries('sleepy', times, { cores: 4, gib: 16, type: 'm5.xlarge' }, [
      ['cron', 'system', '/system.slice/cron.service', 0.002, 0.05],
    ]),
  ]
  await push(service, key, series)
  await eventually(async () => {
    const query = `start_date=${new Date(window.fromMs).toISOString()}&end_date=${new Date(toMs).toISOString()}`
    const namespaces = (await service.request(`/v1/namespace_recommendations?${query}`, { key })).json
    const machines = (await service.request('/v1/vm_summaries', { key })).json
    return namespaces.length === 2 && machines.length === 2
  })
}

const isCpuOf = ({ labels }: SeriesToWrite, pod: string): boolean => {
  const of = Object.fromEntries(labels)
  return (
    of.__name__ === 'container_cpu_usage_seconds_total' && of.pod!.startsWith(pod) && of.container === 'app'
  )
}

type PushedProcess = readonly [process: string, group: string, cgroup: string, cores: number, gib: number]

function machineSeries(
  vm: string,
  times: readonly number[],
  of: { cores: number; gib: number; type: string },
  processes: readonly PushedProcess[],
): SeriesToWrite[] {
  const constant = (name: string, labels: Record<string, string>, value: number) =>
    seriesOf(
      name,
      { vm, ...labels },
      times.map((timeMs) => ({ timeMs, value })),
    )
  return [
    constant('cheapside_machine_info', { provider: 'aws', region: 'us-east-1', instance_type: of.type }, 1),
    constant('cheapside_machine_cpu_cores', {}, of.cores),
    constant('cheapside_machine_memory_bytes', {}, of.gib * gib),
    ...processes.flatMap(([process, group, cgroup, cores, memoryGib]) => [
      seriesOf(
        'cheapside_process_cpu_seconds_total',
        { vm, process, group, cgroup },
        counted(times, (hour) => cores * (1 + 0.4 * wave(hour))),
      ),
      constant('cheapside_process_memory_bytes', { process, group, cgroup }, memoryGib * gib),
    ]),
  ]
}

function timesOf({ fromMs, toMs }: { fromMs: number; toMs: number }): number[] {
  return Array.from({ length: (toMs - fromMs) / stepMs + 1 }, (_, i) => fromMs + i * stepMs)
}

/** A counter of CPU seconds, from the cores in use at each hour. */
function counted(times: readonly number[], coresAt: (hour: number) => number): SeriesToWrite['samples'] {
  let seconds = 0
  return times.map((timeMs) => {
    seconds += Math.max(0, coresAt(timeMs / hourMs)) * (stepMs / 1000)
    return { timeMs, value: seconds }
  })
}

/** Varies between -1 and 1 without a period. */
const wave = (hour: number): number => (Math.sin(hour * 1.7) + Math.sin(hour * 0.31 + 2)) / 2
