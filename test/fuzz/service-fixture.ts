import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startOwnPostgres } from '../peers/postgres.ts'
import { containerSeries, hourMs, nodeSeries, push, seriesOf } from '../pushed-cluster.ts'
import { ask, eventually, type RunningService, startService } from '../service.ts'
import { askKnownValues, type KnownValues } from './known-values.ts'
import { readMcpOperations } from './mcp-operations.ts'
import { type Operation, readOperations } from './operations.ts'

export type Database = 'sqlite' | 'postgres'

/** A service with three organisations, each of which has data that only it may see. */
export interface FuzzFixture {
  readonly operations: readonly Operation[]
  readonly problemSchema: object
  readonly known: KnownValues
  /** Names of the organisations, which have prices, clusters and machines. */
  readonly organisations: readonly string[]
  /** Keys by caller name; 'admin' has every scope, 'invalid' is an unknown key. */
  readonly keys: ReadonlyMap<string, string>
  readonly secrets: ReadonlyMap<string, string>
  service(): RunningService
  /** Starts the service again on the same data after it has ended. */
  restart(): Promise<void>
  stop(): Promise<void>
}

const organisations = ['acme', 'globex', 'initech']
const scopes = ['pricing:read', 'marketplace:write', 'gateway:read', 'gateway:write', 'usage:write']

export async function startFixture(database: Database): Promise<FuzzFixture> {
  const postgres = database === 'postgres' ? await startOwnPostgres() : undefined
  const env = {
    // Prevents refreshes, which would read price lists of providers over the network.
    CHEAPSIDE_PRICE_ENDPOINTS: 'none',
    CHEAPSIDE_RATE_LIMIT: '0',
    CHEAPSIDE_ADDRESS_LIMIT: '0',
    CHEAPSIDE_OPEN_LIMIT: '0',
    CHEAPSIDE_LOG_LEVEL: 'error',
    CHEAPSIDE_METADATA_URL: 'none',
    ...(postgres === undefined ? {} : { DATABASE_URL: await postgres.createDatabase() }),
  }
  const directory = mkdtempSync(join(tmpdir(), 'cheapside-fuzz-'))
  let service = await startService({ env, directory })
  const { key: adminKey } = service
  await eventually(async () => (await ask(service.url, '/readyz')).status === 200)
  const document = (await service.request('/openapi.json')).json
  const keys = new Map([
    ['', ''],
    ['admin', adminKey],
    ['invalid', `csk_AAAAAAAAAAAA_${'b'.repeat(40)}`],
  ])
  const secrets = new Map<string, string>()
  for (const organisation of organisations) {
    const body = { organisation, name: 'fuzz', scopes }
    keys.set(organisation, (await service.request('/admin/keys', { body })).json.key)
    secrets.set(organisation, `secret-of-${organisation}`)
    await plant(service, keys.get(organisation)!, organisation, secrets.get(organisation)!)
  }
  const known = await askKnownValues(service, {
    organisations,
    providers: organisations.map(providerOf),
    clusters: organisations.map(clusterOf),
    machines: organisations.map(machineOf),
  })
  return {
    operations: [...readOperations(document), ...(await readMcpOperations(service, keys.get('acme')!))],
    problemSchema: document.components.schemas.Problem,
    known,
    organisations,
    keys,
    secrets,
    service: () => service,
    async restart() {
      await service.kill()
      service = await startService({ env, directory, withoutKey: true })
      await eventually(async () => (await ask(service.url, '/readyz')).status === 200)
    },
    async stop() {
      await service.stop()
      await postgres?.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const providerOf = (organisation: string): string => `${organisation}-cloud`
const clusterOf = (organisation: string): string => `${organisation}-cluster`
const machineOf = (organisation: string): string => `${organisation}-machine`

/**
 * Creates a cluster, a machine and a provider with names that others can guess, whose content only the organisation may
 * see.
 */
async function plant(
  service: RunningService,
  key: string,
  organisation: string,
  secret: string,
): Promise<void> {
  const size = { cpu_cores: 4, ram_gb: 16, cost_per_hour: 0.01 }
  const entries = [1, 2, 3].map((number) => ({
    ...size,
    instance_type: `rack-${number}`,
    region: 'cellar',
    service: secret,
    raw_pricing_data: { note: secret },
  }))
  const registered = await service.request('/marketplace/providers', {
    key,
    body: { name: providerOf(organisation), entries },
  })
  if (registered.status !== 200) throw new Error(`cannot register: ${registered.text}`)
  const toMs = Math.floor(Date.now() / 300_000) * 300_000
  const window = { fromMs: toMs - 3 * hourMs, toMs }
  const cluster = clusterOf(organisation)
  const samples = (value: (step: number) => number) =>
    Array.from({ length: 37 }, (_, step) => ({ timeMs: window.fromMs + step * 300_000, value: value(step) }))
  const machine = { vm: machineOf(organisation), process: secret, group: 'system', cgroup: '/system.slice/a' }
  await push(service, key, [
    ...containerSeries({ cluster, pod: `${secret}-1`, container: secret, cores: 0.5, gib: 1 }, window),
    ...containerSeries(
      { cluster, namespace: 'tools', pod: `${secret}-2`, cores: [0.1, 0.4], gib: 2 },
      window,
    ),
    ...nodeSeries({ cluster, name: 'n1', cores: 4, gib: 16 }, toMs),
    seriesOf(
      'cheapside_process_cpu_seconds_total',
      machine,
      samples((step) => step * 60),
    ),
    seriesOf(
      'cheapside_process_memory_bytes',
      machine,
      samples(() => 2 ** 30),
    ),
  ])
}
