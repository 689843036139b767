import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { runCli } from '../../cli.ts'
import { diskClaimsCommand } from './disk-claims.ts'

const gib = 2 ** 30
const claim = (name: string) => ({ namespace: 'shop', persistentvolumeclaim: name })
const answers: Record<string, [object, number][]> = {
  kube_persistentvolumeclaim_resource_requests_storage_bytes: [
    [claim('data'), 500 * gib],
    [claim('odd'), gib],
  ],
  kube_persistentvolumeclaim_info: [
    [{ ...claim('data'), storageclass: 'fast', volumename: 'pvc-1' }, 1],
    [{ ...claim('odd'), storageclass: 'nfs', volumename: 'pvc-2' }, 1],
  ],
  kube_persistentvolume_info: [[{ persistentvolume: 'pvc-1', csi_volume_handle: 'vol-1' }, 1]],
  kubelet_volume_stats_used_bytes: [[claim('data'), 50 * gib]],
  node_disk_reads_completed_total: [[{ serial: 'vol1' }, 200]],
  node_disk_read_bytes_total: [[{ serial: 'vol1' }, 20e6]],
}
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await Array.fromAsync(request)).toString()
  const query = new URLSearchParams(body).get('query') ?? ''
  const [, items = []] = Object.entries(answers).find(([name]) => query.includes(name)) ?? []
  const result = items.map(([metric, value]) => ({ metric, value: [0, String(value)] }))
  response.end(JSON.stringify({ status: 'success', data: { resultType: 'vector', result } }))
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
afterAll(() => server.close())

async function run(...words: string[]) {
  const said = { out: '', err: '' }
  const code = await runCli(
    [diskClaimsCommand],
    ['disks', 'claims', ...words],
    {},
    {
      out: (text) => {
        said.out += text
      },
      err: (text) => {
        said.err += text
      },
    },
  )
  return { code, ...said }
}
const place = ['--from', url, '--provider', 'aws', '--region', 'us-east-1']

test('claims are shown with cheaper disks, and what shrinking would save is said apart', async () => {
  const { code, out } = await run(...place, '--class', 'fast=gp2', '--wide')
  expect(code).toBe(0)
  // 500 x 0.10 -> 500 x 0.08; of 63 GiB 5.04
  expect(out).toMatch(
    /shop\/data +gp2 +500 GiB +10% +200 +\$50\.00 +gp3 +\$10\.00 +mostly unused: .*\$34\.96 more/,
  )
  expect(out).toMatch(/shop\/odd +nfs .*There is no price of the disk type "nfs"/)
  expect(out).toContain('All together save $10.00 a month. No disk is made smaller.')
  const json = JSON.parse((await run(...place, '--class', 'fast=gp2', '--json')).out)
  expect(json[0]).toMatchObject({
    name: 'data',
    usedGib: 50,
    disk_type: 'gp2',
    cost_per_month: 50,
    better: { type: 'gp3', size_gib: 500, cost_per_month: 40, savings_per_month: 10 },
    smaller_saves_per_month: 34.96,
  })
})

test.each([
  [['--from', 'prometheus', '--provider', 'aws', '--region', 'r'], /--from must be/],
  [['--from', 'http://u:p@prometheus', '--provider', 'aws', '--region', 'r'], /without a password/],
  [['--from', url, '--provider', 'aws'], /--region is required/],
  [[...place, '--class', 'fast'], /CLASS=TYPE/],
  [[...place, '--days', '0'], /--days must be/],
  [[...place, '--bearer-file', '/none'], /no such file/],
])('%j is refused', async (words, text) => {
  const { code, err } = await run(...words)
  expect(code).not.toBe(0)
  expect(err).toMatch(text)
})
