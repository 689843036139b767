import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MessageFormat } from '../src/ingest/remote-write/decode.ts'
import { contentTypes, encodeRequest, type SeriesToWrite } from '../src/ingest/remote-write/encode.case.ts'
import { packDay } from '../src/ingest/retention.ts'
import { openStore } from '../src/store/open.ts'
import type { Store } from '../src/store/port.ts'
import { decodeDigests } from '../src/usage/digest/codec.ts'
import { mergeWindow, type WindowUsage } from '../src/usage/reading/merge-window.case.ts'
import { combineHours } from '../src/usage/reading/pod-usage.ts'
import { type Answer, ask } from './service.ts'
import { trace } from './usage-trace.ts'

export const hourMs = 3_600_000

export function series(
  name: string,
  labels: Record<string, string>,
  ...samples: SeriesToWrite['samples']
): SeriesToWrite {
  return {
    labels: Object.entries({ __name__: name, ...labels }).sort(([a], [b]) => (a < b ? -1 : 1)),
    samples,
  }
}

/** Sends a remote write request. */
export function push(
  service: { url: string; key: string },
  what: readonly SeriesToWrite[] | Uint8Array,
  more: { key?: string; format?: MessageFormat; headers?: Record<string, string>; path?: string } = {},
): Promise<Answer> {
  const { key = service.key, format = 'remote-write-1', headers = {}, path = '/api/v1/write' } = more
  return ask(service.url, path, {
    method: 'POST',
    key,
    headers: { 'content-type': contentTypes[format], 'content-encoding': 'snappy', ...headers },
    body: what instanceof Uint8Array ? what : Buffer.from(encodeRequest(what, format)),
  })
}

/** Opens the database of a running service. */
export async function withStoreOf<Result>(
  at: { directory: string } | { databaseUrl: string },
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore({
    dataDirectory: '',
    ...('directory' in at ? { dataDirectory: at.directory } : at),
  })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

const always = { fromHour: 0, toHour: 2 ** 30 }

/** The usage of each subject over all time, from all sources. */
export async function usageOf(store: Store, organisation = 'default'): Promise<Map<string, WindowUsage>> {
  const found = new Map<string, WindowUsage>()
  for (const kind of ['container', 'process'] as const)
    for await (const { key, rows } of store.usage.digests(organisation, { kind, ...always })) {
      const digests = rows.flatMap(({ source, bytes }) =>
        decodeDigests(bytes).map((digest) => ({ source, digest })),
      )
      found.set(key.split('\0').slice(1).join('/'), mergeWindow(combineHours(digests)))
    }
  return found
}

/** All digests in hexadecimal, independent of the rows they are stored in, and the attributes of entities. */
export async function bitsOf(store: Store, organisation = 'default'): Promise<string[]> {
  const lines: string[] = []
  for (const kind of ['container', 'process'] as const)
    for await (const { key, rows } of store.usage.digests(organisation, { kind, ...always })) {
      const days = Map.groupBy(rows, ({ bytes }) => Math.floor(decodeDigests(bytes)[0]!.hour / 24))
      for (const of of days.values()) {
        const { bytes } = packDay(of.map((row) => row.bytes))
        lines.push(`${key.replaceAll('\0', '/')} ${Buffer.from(bytes).toString('hex')}`)
      }
    }
  for (const { key, kind, json } of await store.usage.entities(organisation, {})) {
    // How samples arrived, which differs if they are pushed or queried.
    if (kind === 'source') continue
    // The second that is stored with an attribute is left out, because seeing the same value again does not update it.
    const { first, last, is } = JSON.parse(json) as {
      first: number
      last: number
      is: Record<string, [number, unknown]>
    }
    const values = Object.entries(is).map(([name, [, value]]) => `${name}=${value}`)
    lines.push(`${key.replaceAll('\0', '/')} ${first} ${last} ${values.join()}`)
  }
  return lines.sort()
}

/**
 * Serves what kubelet, kube-state-metrics and a process exporter would report for a cluster that replays the trace, a
 * sample a second.
 */
export async function startExporter(): Promise<{ host: string; stop(): Promise<void> }> {
  const startedAt = Date.now()
  const pages: Record<string, (second: number) => string[]> = {
    '/metrics/cadvisor': (second) =>
      trace.flatMap((machine, pod) => {
        const at = `namespace="shop",pod="web-5d9-${pod}"`
        const cores = machine.millicores.slice(0, second).reduce((sum, value) => sum + value / 1000, 0)
        return [
          `container_cpu_usage_seconds_total{container="app",cpu="total",id="/kubepods/${pod}",image="shop:1",${at}} ${cores.toFixed(3)}`,
          `container_cpu_usage_seconds_total{container="",cpu="total",id="/kubepods",${at}} 1234`,
          `container_memory_working_set_bytes{container="app",id="/kubepods/${pod}",${at}} ${machine.mib[second % 48]! * 2 ** 20}`,
          `container_cpu_cfs_periods_total{container="app",id="/kubepods/${pod}",${at}} ${second * 10}`,
          `container_cpu_cfs_throttled_periods_total{container="app",id="/kubepods/${pod}",${at}} ${second * pod}`,
          `container_fs_reads_total{container="app",id="/kubepods/${pod}",${at}} ${second}`,
        ]
      }),
    '/metrics': () =>
      trace
        .flatMap((_, pod) => {
          const at = `namespace="shop",pod="web-5d9-${pod}"`
          return [
            `kube_pod_info{${at},node="n1",host_ip="10.0.0.1"} 1`,
            `kube_pod_owner{${at},owner_kind="ReplicaSet",owner_name="web-5d9"} 1`,
            `kube_pod_container_resource_requests{${at},container="app",resource="cpu",unit="core"} 0.5`,
            `kube_pod_container_resource_limits{${at},container="app",resource="memory",unit="byte"} 1073741824`,
            `kube_pod_container_status_restarts_total{${at},container="app"} ${pod}`,
          ]
        })
        .concat(
          'kube_replicaset_owner{namespace="shop",replicaset="web-5d9",owner_kind="Deployment",owner_name="web"} 1',
          'kube_node_labels{node="n1",label_node_kubernetes_io_instance_type="m5.large"} 1',
          'kube_resourcequota{namespace="shop",resourcequota="q",resource="limits.cpu",type="hard"} 10',
        ),
    '/processes': (second) => [
      `namedprocess_namegroup_cpu_seconds_total{groupname="nginx",mode="user"} ${second}`,
      `namedprocess_namegroup_cpu_seconds_total{groupname="nginx",mode="system"} ${second / 2}`,
      `namedprocess_namegroup_memory_bytes{groupname="nginx",memtype="resident"} ${1e7 + second}`,
    ],
  }
  const server = createServer((request, response) => {
    const second = Math.floor((Date.now() - startedAt) / 1000)
    response.end(`${(pages[request.url ?? '']?.(second) ?? []).join('\n')}\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
