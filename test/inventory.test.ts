import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { InventoryComparison } from '../src/pricing/inventory/compare-inventory.ts'
import { runCommand } from './service.ts'

const directory = mkdtempSync(join(tmpdir(), 'cheapside-inventory-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const fixture = (name: string): string => join(import.meta.dirname, 'inventory', `${name}.json`)
const file = (name: string, text: string): string => {
  writeFileSync(join(directory, name), text)
  return join(directory, name)
}
const run = (...words: string[]) => runCommand(['inventory', 'import', ...words])

async function compare(...words: string[]): Promise<InventoryComparison> {
  const { code, out, err } = await run(...words, '--json')
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}
/** Name, type, region, operating system and usage type of each machine, by name. */
const machines = ({ machines: all }: InventoryComparison) =>
  all
    .map(({ name, current: c }) =>
      [name, c.instance_type, c.region, c.operating_system, c.usage_type].join(' '),
    )
    .sort()
const reasons = ({ unpriced }: InventoryComparison) =>
  unpriced.map(({ name, reason }) => `${name}: ${reason}`)

describe('each CLI', () => {
  test('aws ec2 describe-instances', async () => {
    const found = await compare(fixture('aws-describe-instances'))
    expect(machines(found)).toEqual([
      'build m5.xlarge us-east-1 Linux SPOT_PREEMPTIBLE',
      'i-0a1b2c3d4e5f60003 c5.xlarge us-east-1 Windows ONDEMAND',
      'web-1 m5.2xlarge us-east-1 Linux ONDEMAND',
    ])
    expect(reasons(found)).toEqual([
      'old: it is stopped',
      'licensed: operating_system is not known; known names: Linux, Windows',
      'alone: tenancy dedicated has prices of its own',
    ])
    expect(found.machines.find(({ name }) => name === 'web-1')!.current).toMatchObject({
      provider: 'AWS',
      cpu_cores: 8,
      ram_gb: 32,
      cost_per_hour: 0.384,
      cost_per_month: 280.32,
    })
  })

  test('disks of aws ec2 describe-volumes, az disk list and gcloud compute disks list', async () => {
    const volume = (VolumeId: string, Size: number, more: object) => ({
      ...{ VolumeId, Size, AvailabilityZone: 'us-east-1a', State: 'in-use', VolumeType: 'gp2' },
      ...more,
    })
    const volumes = [
      volume('vol-1', 100, { Tags: [{ Key: 'Name', Value: 'data' }], Iops: 300 }),
      volume('vol-2', 100, { VolumeType: 'gp3', Iops: 6000, Throughput: 125 }),
      volume('vol-3', 50, { VolumeType: 'gp3', State: 'available' }),
      volume('vol-4', 50, { VolumeType: 'new9' }),
    ]
    const azure = [
      {
        ...{ id: '/disks/1', name: 'extra', location: 'East US', diskSizeGb: 128, diskState: 'Attached' },
        sku: { name: 'Premium_LRS' },
      },
      { id: '/disks/2', name: 'os', diskSizeGb: 30, sku: { name: 'Premium_LRS' }, osType: 'Linux' },
    ]
    const gcp = [
      {
        ...{ id: '7', name: 'pd', sizeGb: '200', users: ['https://host/instances/a'] },
        ...{ zone: 'https://host/zones/us-central1-a', type: 'https://host/diskTypes/pd-ssd' },
      },
    ]
    const found = await compare(
      file('volumes.json', JSON.stringify({ Volumes: volumes })),
      file('az-disks.json', JSON.stringify(azure)),
      file('gcp-disks.json', JSON.stringify(gcp)),
    )
    expect(
      found.disks.map((disk) =>
        [disk.name, disk.type, disk.region, disk.size_gib, disk.iops, disk.better?.type ?? '-'].join(' '),
      ),
    ).toEqual([
      'extra Premium_LRS P10 eastus 128 500 PremiumV2_LRS',
      'vol-3 gp3 us-east-1 50 3000 -',
      'data gp2 us-east-1 100 300 gp3',
      expect.stringMatching(/^pd pd-ssd us-central1 200 /),
      expect.stringMatching(/^vol-2 gp3 us-east-1 100 6000 /),
    ])
    const [, removable, data] = found.disks
    expect(removable).toMatchObject({ is_attached: false, savings_per_month: 4, cost_per_month: 4 })
    expect(data).toMatchObject({ cost_per_month: 10, better: { size_gib: 100 }, savings_per_month: 1.88 })
    expect(reasons(found)).toEqual([
      'vol-4: There is no price of the disk type "new9" in us-east-1.',
      'os: few types of disk can hold an operating system',
    ])
    expect(found.totals.cost_per_month).toBeCloseTo(
      found.disks.reduce((sum, disk) => sum + disk.cost_per_month, 0),
    )
    const { out } = await run(join(directory, 'volumes.json'))
    expect(out).toMatch(/^vol-3 +gp3 +us-east-1 +50 GiB +\$4\.00 +remove: not attached +\$4\.00 +2021-07-01/m)
    expect(out).toMatch(/3 disks at \$37\.00 per month; \$[\d.]+ could be saved\. No disk is made smaller\./)
  })

  test('az vm list', async () => {
    const found = await compare(fixture('az-vm-list'))
    expect(machines(found)).toEqual([
      'desk Standard_D4s_v5 eastus Linux ONDEMAND',
      'shop Standard_D8s_v5 eastus Linux ONDEMAND',
    ])
    expect(reasons(found)).toEqual(['batch: it is deallocated'])
    const desk = found.machines.find(({ name }) => name === 'desk')!
    expect(desk.cheapest?.provider ?? 'Azure').toBe('Azure')
    expect(desk.notes).toEqual([expect.stringMatching(/^runs Windows with your own licence/)])
  })

  test('gcloud compute instances list', async () => {
    const found = await compare(fixture('gcloud-instances-list'))
    expect(machines(found)).toEqual([
      'api n2-standard-8 us-central1 Linux ONDEMAND',
      'odd n2-custom-6-10240 us-central1 Linux ONDEMAND',
      'win n2-standard-4 us-central1 Windows ONDEMAND',
    ])
    expect(reasons(found)).toEqual(['off: it is terminated'])
  })

  test('scw instance server list, if the provider is turned on', async () => {
    const words = ['inventory', 'import', fixture('scw-instance-server-list'), '--json']
    const { code, out } = await runCommand(words, { CHEAPSIDE_PROVIDERS: 'scaleway' })
    expect(code).toBe(0)
    const found: InventoryComparison = JSON.parse(out)
    expect(machines(found)).toEqual([
      'desk POP2-2C-8G-WIN fr-par Windows ONDEMAND',
      'scw-shop-default-5c1d PRO2-S nl-ams Linux ONDEMAND',
    ])
    expect(reasons(found)).toEqual(['old: it is stopped'])
    const node = found.machines.find(({ name }) => name === 'scw-shop-default-5c1d')!
    expect(node.cheapest?.region ?? 'nl-ams').toBe('nl-ams')
    expect(node.notes).toEqual([expect.stringMatching(/^is a node of a managed cluster/)])
  })

  test('hcloud server list', async () => {
    const found = await compare(fixture('hcloud-server-list'))
    expect(machines(found)).toEqual(['mail ccx33 nbg1 Linux ONDEMAND'])
    expect(found.machines[0]!.id).toBe('42')
  })
})

const every = ['aws-describe-instances', 'az-vm-list', 'gcloud-instances-list', 'hcloud-server-list'].map(
  fixture,
)

test('all at once, greatest savings first; a machine that is listed twice counts once', async () => {
  const found = await compare(...every, every[0]!)
  expect(found.machines).toHaveLength(9)
  const saved = found.machines.map((machine) => machine.savings_per_month)
  expect(saved).toEqual(saved.toSorted((a, b) => b - a))
  expect(saved[0]).toBeGreaterThan(0)
  const sum = saved.reduce((total, one) => total + one, 0)
  expect(found.totals.savings_per_month).toBeCloseTo(sum, 2)
  for (const { current, cheapest, savings_per_month } of found.machines)
    expect(savings_per_month).toBeCloseTo(current.cost_per_month - (cheapest ?? current).cost_per_month, 2)
})

test('averages of three monitoring systems, joined by id, path and name', async () => {
  const names = ['cloudwatch-metric-data', 'azure-monitor-metrics', 'prometheus-query']
  const found = await compare(...every, ...names.flatMap((name) => ['--usage', fixture(name)]))
  const usage = (name: string) => found.machines.find((machine) => machine.name === name)!.usage
  const measured = ['cpu_cores', 'ram_gb']
  expect(usage('web-1')).toEqual({ cpu_cores: 1, ram_gb: 8, measured })
  expect(usage('shop')).toEqual({ cpu_cores: 2, ram_gb: 8, measured })
  expect(usage('api')).toEqual({ cpu_cores: 1.6, ram_gb: 8, measured })
  expect(usage('odd')).toEqual({ cpu_cores: 6, ram_gb: 10, measured: [] })
  const unmeasured = await compare(...every)
  const saved = (of: InventoryComparison, name: string) =>
    of.machines.find((machine) => machine.name === name)!.savings_per_month
  for (const name of ['web-1', 'shop', 'api'])
    expect(saved(found, name)).toBeGreaterThan(saved(unmeasured, name))
})

test('machines whose price or licence is not that of their type are not compared', async () => {
  const running = {
    InstanceId: 'i-1',
    InstanceType: 'm6a.xlarge',
    Placement: { AvailabilityZone: 'us-east-1a' },
  }
  const instances = [
    { ...running, OutpostArn: 'arn:aws:outposts:us-east-1:1:outpost/op-1' },
    { ...running, CpuOptions: { AmdSevSnp: 'enabled' } },
    { ...running, InstanceLifecycle: 'capacity-block' },
    { ...running, VirtualizationType: 'paravirtual' },
    { ...running, Placement: { AvailabilityZone: 'us-west-2-lax-1a' } },
  ]
  const azure = { location: 'westeurope', hardwareProfile: { vmSize: 'Standard_D4s_v5' } }
  const gcp = { machineType: 'zones/us-central1-a/machineTypes/n2-standard-8', zone: 'zones/us-central1-a' }
  const documents = [
    { Reservations: [{ Instances: instances }] },
    [
      { ...azure, storageProfile: { imageReference: { publisher: 'RedHat' } } },
      { ...azure, securityProfile: { securityType: 'ConfidentialVM' } },
    ],
    [
      { ...gcp, scheduling: { nodeAffinities: [{ key: 'node-group' }] } },
      { ...gcp, confidentialInstanceConfig: { enableConfidentialCompute: true } },
      { ...gcp, disks: [{ type: 'SCRATCH' }] },
      { ...gcp, machineType: 'machineTypes/custom-8-32768', guestAccelerators: [{ acceleratorCount: 1 }] },
    ],
  ]
  for (const [index, document] of documents.entries()) {
    const found = await compare(file(`special-${index}.json`, JSON.stringify(document)))
    expect(found.machines).toEqual([])
  }
})

test('nodes of managed clusters are compared in their own provider and region', async () => {
  const aws = { InstanceType: 'm5.xlarge', Placement: { AvailabilityZone: 'us-east-1a' } }
  const azure = { location: 'westeurope', hardwareProfile: { vmSize: 'Standard_D4s_v5' } }
  const gcp = { machineType: 'machineTypes/n2-standard-8', zone: 'zones/us-central1-a' }
  const documents = [
    { Reservations: [{ Instances: [{ ...aws, Tags: [{ Key: 'eks:cluster-name', Value: 'prod' }] }] }] },
    [{ ...azure, tags: { 'aks-managed-poolName': 'default' } }],
    [{ ...gcp, labels: { 'goog-gke-node': '' } }],
  ]
  for (const [index, document] of documents.entries()) {
    const { machines: found } = await compare(file(`node-${index}.json`, JSON.stringify(document)))
    const { current, cheapest, notes } = found[0]!
    expect(notes).toEqual(['is a node of a managed cluster: compared within its provider and region only'])
    expect(cheapest).toMatchObject({ provider: current.provider, region: current.region })
  }
})

test('labels of CloudWatch with the name of a machine, and labels that are not understood', async () => {
  const result = (label: string) => ({ Label: label, Values: [25] })
  const labels = [
    'web-1 CPUUtilization',
    'web-1 mem_used_percent',
    'memcached-7 CPUUtilization',
    'web-1 NetworkIn',
  ]
  const usage = file('named.json', JSON.stringify({ MetricDataResults: labels.map(result) }))
  const found = await compare(every[0]!, '--usage', usage)
  const web = found.machines.find(({ name }) => name === 'web-1')!
  expect(web.usage).toEqual({ cpu_cores: 2, ram_gb: 8, measured: ['cpu_cores', 'ram_gb'] })
  expect(found.unmatched_usage).toEqual(['memcached-7', 'web-1 NetworkIn'])
})

test('pages of CloudWatch, available memory, and memory in bytes', async () => {
  const result = (label: string, ...values: number[]) => ({ Label: label, Values: values })
  const results = [
    result('web-1 CPUUtilization', 10, 20),
    result('web-1 mem_available_percent', 75),
    result('web-1 CPUUtilization', 45),
    result('web-1 mem_used', 1e9),
  ]
  const usage = file('pages.json', JSON.stringify({ MetricDataResults: results }))
  const found = await compare(every[0]!, '--usage', usage)
  const web = found.machines.find(({ name }) => name === 'web-1')!
  // 25% of 8 vCPUs and of 32 GiB
  expect(web.usage).toEqual({ cpu_cores: 2, ram_gb: 8, measured: ['cpu_cores', 'ram_gb'] })
  expect(found.unmatched_usage).toEqual(['web-1 mem_used'])
})

test('shows changes, the best other size in the same region, and usage that belongs to no machine', async () => {
  const found = await compare(every[0]!, '--usage', fixture('azure-monitor-metrics'))
  const web = found.machines.find(({ name }) => name === 'web-1')!
  expect(web.cheapest!.changes).toContain('provider')
  expect(web.resize).toMatchObject({ provider: 'AWS', region: 'us-east-1', usage_type: 'ONDEMAND' })
  expect(web.resize!.cost_per_month).toBeGreaterThanOrEqual(web.cheapest!.cost_per_month)
  expect(found.unmatched_usage.length).toBeGreaterThan(0)
  const { out } = await run(every[0]!, '--usage', fixture('azure-monitor-metrics'))
  expect(out).toContain('another provider')
  expect(out).toContain(`without a matching machine was ignored: ${found.unmatched_usage[0]}`)
  expect((await compare(every[1]!, '--usage', fixture('azure-monitor-metrics'))).unmatched_usage).toEqual([])
})

test('a table, and candidates of one provider', async () => {
  const { code, out } = await run(every[0]!, '--to-provider', 'aws', '--to-region', 'us-east-1')
  expect(code).toBe(0)
  const lines = out.split('\n')
  expect(lines[0]).toMatch(/^MACHINE +TYPE +REGION +USES +PER MONTH +CHEAPEST/)
  expect(lines.find((line) => line.startsWith('web-1'))).toMatch(
    /^web-1 +m5.2xlarge (?:!+ )? *us-east-1 +not measured +\$280.32 +AWS \S+ in us-east-1 (?:!+ )? *\$\d+\.\d\d +\$\d+\.\d\d +\d+\.\d% +\S.* +\S+(?: !+)? +\$\d+\.\d\d +\S/,
  )
  expect(out).toMatch(/\n3 machines at \$[\d,.]+ per month; \$[\d,.]+ could be saved\./)
  expect(out).toContain('Not compared:\n  old ')
})

test('standard input, an empty list, and a file that is not an inventory', async () => {
  const stdin = spawnSync(
    process.execPath,
    [join(import.meta.dirname, '../bin/cheapside.js'), 'inventory', 'import', '-', '--json'],
    { input: readFileSync(every[3]!), encoding: 'utf8', env: { PATH: process.env.PATH } },
  )
  expect(machines(JSON.parse(stdin.stdout))).toHaveLength(1)
  expect(await compare(file('empty.json', '[]'))).toEqual({
    machines: [],
    disks: [],
    unpriced: [],
    unmatched_usage: [],
    totals: { cost_per_month: 0, savings_per_month: 0 },
  })
  const odd = file('odd.json', '[{"machineType":7,"zone":{},"disks":[null]},null,3]')
  expect((await compare(odd)).unpriced).toHaveLength(3)
  const failures: [string[], number, RegExp][] = [
    [
      [file('other.json', '{"a":1}')],
      1,
      /other\.json is not the JSON of aws ec2 describe-instances or describe-volumes, az vm list or az disk list/,
    ],
    [[file('text.json', 'no JSON')], 1, /text\.json is not JSON/],
    [[every[0]!, '--usage', every[0]!], 1, /is not the JSON of aws cloudwatch get-metric-data/],
    [['-', '-'], 2, /standard input can be read only once/],
    [[], 2, /FILE\.\.\. is required/],
  ]
  for (const [words, code, message] of failures) {
    const result = await run(...words)
    expect([result.code, result.err]).toEqual([code, expect.stringMatching(message)])
  }
})
