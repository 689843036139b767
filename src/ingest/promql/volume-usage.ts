import { EngineRefused, type PromqlClient } from './client.ts'

/** A claim of Kubernetes, as kubelets, kube-state-metrics and node exporters describe it. */
interface ClaimUsage {
  readonly namespace: string
  readonly name: string
  readonly storageClass: string
  readonly capacityGib: number
  readonly usedGib?: number
  readonly iops?: number
  readonly throughputMbps?: number
}

const gib = 2 ** 30
const megabyte = 1e6

interface Item {
  readonly metric: Readonly<Record<string, string>>
  readonly value?: readonly [number, string]
}

/** IOPS and throughput need a device whose serial number is the handle of the volume, as on AWS (vol-0ab1, vol0ab1). */
export async function fetchClaimUsage(
  client: PromqlClient,
  days: number,
  nowMs: number,
): Promise<ClaimUsage[]> {
  const ask = (query: string): Promise<Item[]> => vector(client, query, nowMs)
  const claims = '(namespace, persistentvolumeclaim)'
  const requested = await ask(
    `max by ${claims} (last_over_time(kube_persistentvolumeclaim_resource_requests_storage_bytes[1h]))`,
  )
  const info = await ask(
    'max by (namespace, persistentvolumeclaim, storageclass, volumename) (last_over_time(kube_persistentvolumeclaim_info[1h]))',
  )
  const volumes = await ask(
    'max by (persistentvolume, csi_volume_handle) (last_over_time(kube_persistentvolume_info[1h]))',
  )
  const used = byClaim(
    await ask(`max by ${claims} (max_over_time(kubelet_volume_stats_used_bytes[${days}d]))`),
  )
  const capacity = byClaim(
    await ask(`max by ${claims} (last_over_time(kubelet_volume_stats_capacity_bytes[1h]))`),
  )
  const iops = bySerial(
    await ask(mostOf('node_disk_reads_completed_total', 'node_disk_writes_completed_total', days)),
  )
  const bytes = bySerial(
    await ask(mostOf('node_disk_read_bytes_total', 'node_disk_written_bytes_total', days)),
  )
  const handles = new Map(
    volumes.map(({ metric }) => [metric.persistentvolume ?? '', metric.csi_volume_handle ?? '']),
  )
  const described = new Map(info.map((item) => [claimKey(item), item.metric]))
  return requested.flatMap((item): ClaimUsage[] => {
    const key = claimKey(item)
    const size = numberOf(item) ?? capacity.get(key)
    if (size === undefined || !(size > 0)) return []
    const { storageclass = '', volumename = '' } = described.get(key) ?? {}
    const serial = serialOf(handles.get(volumename) ?? '')
    return [
      {
        namespace: item.metric.namespace ?? '',
        name: item.metric.persistentvolumeclaim ?? '',
        storageClass: storageclass,
        capacityGib: size / gib,
        ...scaled('usedGib', used.get(key), gib),
        ...scaled('iops', iops.get(serial), 1),
        ...scaled('throughputMbps', bytes.get(serial), megabyte),
      },
    ]
  })
}

/** The largest sum of both rates in five minutes, by serial number of the device. */
const mostOf = (reads: string, writes: string, days: number): string =>
  `max by (serial) (max_over_time(((rate(${reads}[5m]) + rate(${writes}[5m])) * on (instance, device) group_left (serial) ` +
  `node_disk_info{serial!=""})[${days}d:5m]))`

async function vector(client: PromqlClient, query: string, nowMs: number): Promise<Item[]> {
  const data = await client.ask('/api/v1/query', { query, time: String(nowMs / 1000) })
  const { resultType, result } = (data ?? {}) as { resultType?: string; result?: Item[] }
  if (resultType !== 'vector' || !Array.isArray(result))
    throw new EngineRefused(`not a PromQL engine: the answer is of type ${resultType}`)
  return result.filter(({ metric }) => typeof metric === 'object' && metric !== null)
}

const claimKey = ({ metric }: Item): string => `${metric.namespace}\n${metric.persistentvolumeclaim}`

function numberOf({ value }: Item): number | undefined {
  const number = Number(value?.[1] ?? Number.NaN)
  return Number.isFinite(number) && number >= 0 ? number : undefined
}

const byClaim = (items: readonly Item[]) => new Map(items.map((item) => [claimKey(item), numberOf(item)]))

const bySerial = (items: readonly Item[]) =>
  new Map(
    items
      .filter(({ metric }) => metric.serial !== undefined && metric.serial !== '')
      .map((item) => [serialOf(item.metric.serial!), numberOf(item)]),
  )

/** vol-0ab1 and vol0ab1 are the same. */
const serialOf = (handle: string): string => handle.replaceAll('-', '').toLowerCase()

const scaled = <Name extends string>(name: Name, value: number | undefined, unit: number) =>
  (value === undefined ? {} : { [name]: value / unit }) as Partial<Record<Name, number>>
