import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { runCli } from '../src/cli/cli.ts'
import { reviewCommand } from '../src/cli/commands/pricing/review.ts'
import { encodeRequest } from '../src/ingest/remote-write/encode.case.ts'
import { eventually, startService } from './service.ts'

const directory = mkdtempSync(join(tmpdir(), 'cheapside-cli-review-'))
afterAll(() => rmSync(directory, { recursive: true }))

async function run(words: readonly string[], env: Record<string, string> = {}) {
  const said = { out: '', err: '' }
  const code = await runCli([reviewCommand], ['review', ...words], env, {
    out: (text) => {
      said.out += `${text}\n`
    },
    err: (text) => {
      said.err += `${text}\n`
    },
  })
  return { code, ...said }
}

function file(name: string, content: object | string): string {
  const path = join(directory, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const created = (type: string, after: object, name = 'it') => ({
  address: `${type}.${name}`,
  type,
  name,
  mode: 'managed',
  change: { actions: ['create'], before: null, after },
})
const planOf = (...resource_changes: object[]) => ({ format_version: '1.2', resource_changes })
const homeless = file('homeless.json', planOf(created('aws_instance', { instance_type: 'm5.large' })))
const aks = {
  location: 'westeurope',
  default_node_pool: [{ vm_size: 'Standard_D4s_v5', node_count: 20 }],
}

test('manifests are priced by their requests, before and after', async () => {
  const deployment = (replicas: number) => `kind: Deployment
metadata: { name: web }
spec:
  replicas: ${replicas}
  template:
    spec:
      containers:
        - name: app
          resources: { requests: { cpu: 500m, memory: 1Gi } }
`
  const [before, after] = [file('before.yaml', deployment(3)), file('after.yaml', deployment(4))]
  const prices = ['--cluster-prices', 'core=0.03,gib=0.004']
  const words = ['--manifests', after, '--manifests-before', before, ...prices]
  expect((await run(words)).out).toContain('The priced resources cost $41.61 a month before, $55.48 after')
  expect((await run([...words, '--max-increase', '10'])).code).toBe(3)
  const faults: [string[], RegExp][] = [
    [[], /needs a plan, or --manifests/],
    [['--manifests', after], /--cluster-prices/],
    [['--manifests', after, '--cluster-prices', 'aws'], /such as aws/],
    [['--manifests', directory.concat('/none'), ...prices], /no such file/],
    [['--manifests', file('t.yaml', '{{ if }} a: b'), ...prices], /helm template/],
    [[homeless, ...words], /cannot be reviewed together/],
    [[homeless, '--nodes', '3'], /--nodes needs --manifests/],
    [[homeless, '--save', 'shop#1'], /--save needs --server/],
  ]
  for (const [given, text] of faults) {
    const { code, err } = await run(given)
    expect(code).not.toBe(0)
    expect(err).toMatch(text)
  }
  const none = ['--manifests', after, '--cluster-prices', 'aws/us-east-1/m99.large']
  expect((await run(none)).err).toMatch(/m99.large/)
})

describe('exit codes', () => {
  const database = file('database.json', planOf(created('aws_db_instance', {})))
  const nodes = file('nodes.json', planOf(created('azurerm_kubernetes_cluster', aks)))
  const empty = file('empty.json', planOf())
  const limit = ['--max-increase', '100']

  test.each<[string, string[], Record<string, string>, number]>([
    ['nothing in it', [empty, ...limit], {}, 0],
    ['twenty nodes', [nodes, ...limit], {}, 3],
    ['no region, no gate', [homeless], {}, 0],
    ['no region', [homeless, ...limit], {}, 3],
    ['no region, and allowed', [homeless, ...limit, '--allow-unpriced'], {}, 0],
    ['a region by flag', [homeless, ...limit, '--region', 'aws=us-east-1'], {}, 0],
    ['a region by AWS_REGION', [homeless, ...limit], { AWS_REGION: 'us-east-1' }, 0],
    ['a region by AWS_DEFAULT_REGION', [homeless, ...limit], { AWS_DEFAULT_REGION: 'us-east-1' }, 0],
    ['an unknown region', [homeless, ...limit], { AWS_REGION: 'mars-1' }, 3],
    ['a database', [database, ...limit], {}, 3],
    ['a database, strictly', [database, '--fail-on-unpriced'], {}, 3],
    ['two plans, one of them held', [empty, database, ...limit], {}, 3],
    ['both flags', [database, '--fail-on-unpriced', '--allow-unpriced'], {}, 2],
    ['a region by another name of the provider', [homeless, ...limit, '--region', 'amazon=us-east-1'], {}, 0],
    ['a region of an unknown provider', [homeless, '--region', 'acme=us-east-1'], {}, 2],
    ['a region without provider', [homeless, ...limit, '--region', 'us-east-1'], {}, 0],
    ['an unknown region without provider', [homeless, '--region', 'mars-1'], {}, 2],
    ['no hours', [homeless, '--hours', '0'], {}, 2],
    ['an unknown effort', [homeless, '--suggest', 'magic'], {}, 2],
    ['one state to compare', [homeless, '--diff'], {}, 2],
    ['an unknown service', [homeless, '--comment', 'bitbucket'], {}, 2],
    ['no token', [homeless, '--comment', 'github'], {}, 2],
    ['no JSON', [file('text.json', 'Plan: 1 to add')], {}, 1],
    ['another document', [file('other.json', {})], {}, 1],
  ])('%s', async (_, words, env, code) => {
    const ended = await run(words, env)
    expect(ended.code, ended.err).toBe(code)
  })
})

test('accepts the output of the setup-terraform wrapper and a byte order mark', async () => {
  const plan = JSON.stringify(
    planOf(created('aws_instance', { instance_type: 'm5.large', region: 'us-east-1' })),
  )
  const wrapped = file(
    'wrapped.json',
    `\ufeff[command]/opt/terraform-bin show -json plan\n${plan}\n::debug::exited\n`,
  )
  expect((await run([wrapped])).out).toContain('m5.large AWS us-east-1')
})

test('annotations for a job go to standard error, apart from the JSON output', async () => {
  const { out, err } = await run([homeless, '--json', '--ci', 'github'], { AWS_REGION: 'us-east-1' })
  expect(JSON.parse(out).totals.after_per_month).toBeGreaterThan(0)
  expect(err).toMatch(/^::notice title=\+\$/)
})

test('suggestions for a measured machine have the size of its usage history', async () => {
  const service = await startService()
  try {
    const hourMs = 3_600_000
    const end = Math.floor(Date.now() / hourMs) * hourMs
    const samples = (read: (second: number) => number) =>
      Array.from({ length: 30 * 12 + 1 }, (_, i) => ({
        timeMs: end - 30 * hourMs + i * 300_000,
        value: read(i * 300),
      }))
    const labels = Object.entries({
      vm: 'idle-1',
      process: 'sleepd',
      group: 'system',
      cgroup: '/system.slice/s',
    })
    const series = (name: string, read: (second: number) => number) => ({
      labels: [['__name__', name] as [string, string], ...labels].sort(([a], [b]) => (a < b ? -1 : 1)),
      samples: samples(read),
    })
    const pushed = await service.request('/api/v1/write', {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' },
      body: encodeRequest([
        series('cheapside_process_cpu_seconds_total', (second) => 1000 + second * 0.25),
        series('cheapside_process_memory_bytes', () => 2 ** 30),
      ]),
    })
    expect(pushed.status, pushed.text).toBe(204)
    await eventually(async () => (await service.request('/v1/vm_summaries')).json.length === 1)
    const values = { instance_type: 'm5.4xlarge', availability_zone: 'us-east-1a', tags: { Name: 'idle-1' } }
    const kept = {
      ...created('aws_instance', {}),
      change: { actions: ['no-op'], before: values, after: values },
    }
    const plan = file('measured.json', planOf(kept))
    const env = { CHEAPSIDE_SERVER: service.url, CHEAPSIDE_KEY: service.key }
    const suggested = async (environment: Record<string, string>) => {
      const { out, err } = await run([plan, '--json'], environment)
      expect(err).toBe('')
      return JSON.parse(out).changes[0].suggestions[0]
    }
    const [measured, whole] = [await suggested(env), await suggested({})]
    expect(measured.sized_for.cpu_cores).toBeLessThan(2)
    expect(measured.cpu_cores).toBeLessThan(16)
    expect(measured.changes).toContain('fewer-cores')
    expect(whole.sized_for).toBeNull()
    expect(whole.cpu_cores).toBeGreaterThanOrEqual(16)
    expect(measured.savings_per_month).toBeGreaterThan(whole.savings_per_month)
  } finally {
    await service.stop()
  }
})
