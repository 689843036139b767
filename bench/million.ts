import { readFileSync } from 'node:fs'
import { subjectKey, subjectOfKey } from '../src/domain/subject.ts'
import { hourMs } from '../src/domain/time.ts'
import { compactDays } from '../src/ingest/retention.ts'
import { openStore } from '../src/store/open.ts'
import { encodeDigests } from '../src/usage/digest/codec.ts'
import { emptyDigest } from '../src/usage/digest/digest.ts'
import { query, startOwnPostgres } from '../test/peers/postgres.ts'
import { ask, eventually, startService } from '../test/service.ts'
import { fillNamespaces, organisation } from './namespaces/fill.ts'

/**
 * Measures many containers in PostgreSQL: two days of history as after compaction, then disk, one namespace, the first
 * page of the cluster, costs by namespace, memory of a node, and the time to close a day for some of the containers.
 *   node bench/million.ts [containers] [containers that close a day]
 */
const containers = Number(process.argv[2] ?? 1_000_000)
const closing = Number(process.argv[3] ?? Math.min(containers, 5000))
const days = 2
const firstDay = Math.floor(Date.now() / (24 * hourMs)) - days
const postgres = await startOwnPostgres()
const databaseUrl = await postgres.createDatabase()
const store = await openStore({ dataDirectory: '', databaseUrl })
await timed(`${days} days of ${containers} containers written`, () =>
  fillNamespaces(store.usage, containers, 50, { days, firstHour: firstDay * 24 }),
)
await query(databaseUrl, 'ANALYZE')
const bytes = await sizeOf()
console.log(
  `${(bytes / 1e9).toFixed(2)} GB in PostgreSQL, ${Math.round(bytes / containers / days)} bytes for a container and day with all ` +
    `indexes; ${((bytes / days) * 45e-9).toFixed(0)} GB for 45 days (${days} days x 22.5)`,
)
await closeDay()
await store.close()
// For a minute after usage of past days has arrived, the loads of nodes are read again for each request.
await new Promise((resolve) => setTimeout(resolve, 61_000))
await answers()
await postgres.stop()

async function sizeOf(): Promise<number> {
  const [row] = await query<{ size: string }>(
    databaseUrl,
    'SELECT pg_database_size(current_database()) AS size',
  )
  return Number(row!.size)
}

/** Merges the hourly rows of a day, as a digester writes them, into one row and a summary each. */
async function closeDay(): Promise<void> {
  const partition = { organisation: 'closing', source: 'push', shard: 1 }
  const { epoch } = await store.usage.open(partition)
  const digests = Array.from({ length: 24 }, (_, hour) => {
    const digest = emptyDigest(firstDay * 24 + hour)
    for (let n = 0; n < 120; n++) {
      digest.cpu.add(100_000 + ((n * 7919) % 50_000), 30)
      digest.memory.add(500_000_000 + ((n * 104_729) % 20_000_000))
    }
    digest.samples = 240
    return { hour: digest.hour, part: hour + 1, bytes: encodeDigests([digest]) }
  })
  for (let from = 0; from < closing; from += 1000) {
    const subjects = Array.from({ length: Math.min(1000, closing - from) }, (_, index) => {
      const key = subjectKey({
        kind: 'container',
        cluster: 'c',
        namespace: 'n',
        pod: `p${from + index}`,
        container: 'app',
      })
      return { key, subject: subjectOfKey(key), state: Uint8Array.of(1), digests }
    })
    const rest = { entities: [], consumed: [], forgotten: [], resume: '' }
    await store.usage.commit(partition, epoch, { subjects, ...rest })
  }
  // By the end of a day autovacuum has run ANALYZE several times.
  await query(databaseUrl, 'ANALYZE')
  const ms = await timed(`a day of ${closing} containers closed, 24 rows each`, () =>
    compactDays(store.usage, partition, epoch, (firstDay + 1) * 24),
  )
  console.log(
    `  ${(ms / closing).toFixed(2)} ms for each: ${((ms / closing) * (containers / 1000 / 60)).toFixed(1)} minutes for ${containers}, on one node`,
  )
}

async function answers(): Promise<void> {
  const key = `csk_bootstrap001_${'s'.repeat(32)}`
  const env = { DATABASE_URL: databaseUrl, CHEAPSIDE_BOOTSTRAP_KEY: key, CHEAPSIDE_RATE_LIMIT: '0' }
  const service = await startService({ withoutKey: true, env })
  await eventually(async () => (await ask(service.url, '/readyz')).status === 200)
  const body = { organisation, name: 'bench', scopes: ['pricing:read', 'gateway:read'] }
  const issued = await ask(service.url, '/admin/keys', { key, body })
  const reader: string = issued.json.key
  const at = (day: number) => encodeURIComponent(new Date(day * 24 * hourMs).toISOString())
  const window = `start_date=${at(firstDay)}&end_date=${at(firstDay + days)}`
  const get = (path: string) => async () => {
    const { status, text } = await ask(service.url, path, { key: reader })
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 300)}`)
  }
  const sizes = '/v1/namespace_recommendations'
  await get(`${sizes}?cluster=bench&namespace=ns-0001&${window}`)()
  await timed('one namespace of 50', get(`${sizes}?cluster=bench&namespace=ns-0003&${window}`))
  await timed('the first page of the cluster', get(`${sizes}?cluster=bench&limit=20&${window}`))
  await timed('costs by namespace', get(`/v1/costs?group_by=namespace&cluster=bench&${window}`))
  const status = readFileSync(`/proc/${service.child.pid}/status`, 'utf8')
  console.log(`${Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024)} MiB resident at most`)
  await service.stop()
}

async function timed(what: string, work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  const ms = performance.now() - started
  console.log(`${what}: ${ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`}`)
  return ms
}
