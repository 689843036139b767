import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from './peers/postgres.ts'
import { ask, eventually, type RunningService, startService } from './service.ts'

const key = `csk_${'n'.repeat(12)}_${'s'.repeat(43)}`
let postgres: TestPostgres
let nodes: [RunningService, RunningService]

beforeAll(async () => {
  postgres = await startPostgres()
  const env = {
    DATABASE_URL: await postgres.createDatabase(),
    CHEAPSIDE_BOOTSTRAP_KEY: key,
    CHEAPSIDE_RATE_LIMIT: '0',
  }
  nodes = await Promise.all([
    startService({ env, withoutKey: true }),
    startService({ env, withoutKey: true }),
  ])
  for (const { url } of nodes) await eventually(async () => (await ask(url, '/readyz')).status === 200)
})
afterAll(async () => {
  await Promise.all((nodes ?? []).map((node) => node.stop()))
  await postgres?.stop()
})

const entry = (instance_type: string, cost_per_hour = 0.0001) => ({
  cost_per_hour,
  cpu_cores: 4,
  ram_gb: 16,
  instance_type,
  region: 'cellar',
})
const register = (node: RunningService, name: string, entries: object[]) =>
  ask(node.url, '/marketplace/providers', { key, body: { name, entries } })
const candidates = async (node: RunningService, name: string) => {
  const body = {
    provider: 'base',
    service: '',
    region: '',
    availability_zone: '',
    instance_type: '',
    operating_system: '',
    usage_type: 'ondemand',
    vm: { cpu_cores: 4, ram_gb: 16 },
    usage: { cpu_cores: 1, ram_gb: 1 },
    predicates: { providers: [name] },
  }
  const { json } = await ask(node.url, '/recommendations', { key, body })
  return Object.entries<{ instance_pricing: { cost_per_hour: number } }[]>(json)
    .slice(1)
    .map(([type, [item]]) => `${type} ${item!.instance_pricing.cost_per_hour}`)
}

test('a node follows registrations, replacements and removals of another node', async () => {
  const [here, there] = nodes
  expect(await candidates(there, 'acme')).toEqual([])
  await register(here, 'acme', [entry('snug')])
  expect(await candidates(here, 'acme')).toEqual(['snug 0.0001'])
  await eventually(async () => (await candidates(there, 'acme'))[0] === 'snug 0.0001')
  await register(there, 'acme', [entry('snug', 0.0002)])
  await eventually(async () => (await candidates(here, 'acme'))[0] === 'snug 0.0002')
  await ask(here.url, '/marketplace/providers/acme', { key, method: 'DELETE' })
  await eventually(async () => (await candidates(there, 'acme')).length === 0)
})

test('the same registration at once on both nodes', async () => {
  const entries = Array.from({ length: 2_000 }, (_, i) => entry(`t${i}`))
  const answers = await Promise.all(nodes.map((node) => register(node, 'twice', entries)))
  expect(answers.map(({ status, json }) => [status, json.Entries])).toEqual([
    [200, 2_000],
    [200, 2_000],
  ])
  for (const node of nodes) {
    await eventually(async () => (await candidates(node, 'twice')).length === 20)
    const pages = await ask(node.url, '/marketplace/providers/twice?limit=1000', { key })
    const [, next] = /<(.+)>/.exec(pages.headers.get('link')!)!
    const rest = await ask(node.url, next!, { key })
    expect([pages.json.length, rest.json.length, rest.headers.get('link')]).toEqual([1_000, 1_000, null])
  }
})
