import { expect, test } from 'vitest'
import { PromqlClient } from './client.ts'
import { fetchClaimUsage } from './volume-usage.ts'

/** Answers each query by the first name of a metric in it. */
class FakeEngine extends PromqlClient {
  readonly #answers: Record<string, [Record<string, string>, string][]>

  constructor(answers: Record<string, [Record<string, string>, string][]>) {
    super({ url: 'http://none' })
    this.#answers = answers
  }

  override async ask(_path: string, { query = '' }: Readonly<Record<string, string>>): Promise<unknown> {
    const [, items = []] = Object.entries(this.#answers).find(([name]) => query.includes(name)) ?? []
    return { resultType: 'vector', result: items.map(([metric, value]) => ({ metric, value: [0, value] })) }
  }
}

const gib = 2 ** 30
const data = { namespace: 'shop', persistentvolumeclaim: 'data' }
const logs = { namespace: 'shop', persistentvolumeclaim: 'logs' }

test('claims have their class, what was used, and the IOPS of the device with the serial of the volume', async () => {
  const engine = new FakeEngine({
    kube_persistentvolumeclaim_resource_requests_storage_bytes: [
      [data, String(100 * gib)],
      [logs, 'NaN'],
      [{ ...logs, persistentvolumeclaim: 'unknown' }, '0'],
    ],
    kube_persistentvolumeclaim_info: [[{ ...data, storageclass: 'gp2', volumename: 'pvc-1' }, '1']],
    kube_persistentvolume_info: [[{ persistentvolume: 'pvc-1', csi_volume_handle: 'vol-0ab1' }, '1']],
    kubelet_volume_stats_used_bytes: [[data, String(20 * gib)]],
    kubelet_volume_stats_capacity_bytes: [[logs, String(gib)]],
    node_disk_reads_completed_total: [
      [{ serial: 'vol0ab1' }, '120'],
      [{ serial: '' }, '7'],
    ],
    node_disk_read_bytes_total: [[{ serial: 'vol0ab1' }, '5000000']],
  })
  expect(await fetchClaimUsage(engine, 14, 0)).toEqual([
    {
      ...{ namespace: 'shop', name: 'data', storageClass: 'gp2', capacityGib: 100 },
      ...{ usedGib: 20, iops: 120, throughputMbps: 5 },
    },
    { namespace: 'shop', name: 'logs', storageClass: '', capacityGib: 1 },
  ])
})

test('an answer of another kind is refused', async () => {
  class Other extends PromqlClient {
    override async ask(): Promise<unknown> {
      return { resultType: 'matrix', result: [] }
    }
  }
  await expect(fetchClaimUsage(new Other({ url: 'http://none' }), 14, 0)).rejects.toThrow(
    'not a PromQL engine',
  )
})
