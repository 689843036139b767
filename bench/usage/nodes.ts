import { readFileSync } from 'node:fs'
import { encodeLabels, encodeRequest } from '../../src/ingest/remote-write/encode.case.ts'
import { partitionLease, partitionLeases } from '../../src/usage/shard.ts'
import { query, startOwnPostgres } from '../../test/peers/postgres.ts'
import { ask, eventually, type RunningService, startService } from '../../test/service.ts'
import { usageOf, withStoreOf } from '../../test/usage-cluster.ts'
import { clusterSeries, valueAt } from './cluster-stream.ts'

/**
 * Measures one organisation on several nodes and one PostgreSQL: CPU seconds per million samples, the share of each
 * node, and the effect of killing one: the time until others serve its shards, and samples lost.
 *   node bench/usage/nodes.ts [containers] [scrapes] [nodes,nodes,...] [kills]
 * As many scrapes as are measured are sent to each node before, because a process compiles its code in its first minute of
 * work. Then groups of nodes take turns every few scrapes, because the speed of a shared machine changes from minute to
 * minute. What a group uses while it waits for its turn is what idle nodes use: to renew leases, to poll the database, and
 * to collect garbage.
 */
const containers = Number(process.argv[2] ?? 1000)
const scrapesPerTurn = 60
const turns = Math.ceil(Number(process.argv[3] ?? 20) / scrapesPerTurn)
const scrapes = turns * scrapesPerTurn
const counts = (process.argv[4] ?? '1,2,4').split(',').map(Number)
const kills = Number(process.argv[5] ?? 3)
const perRequest = 2000
const series = clusterSeries(containers).map((labels) => ({ labels, encodedLabels: encodeLabels(labels) }))
const key = `csk_bootstrap001_${'s'.repeat(32)}`
/** Samples of the future are rejected, so there is time for those that are sent between kills. */
const startMs = Date.now() - ((Math.max(...counts) + 1) * scrapes + 200 * kills) * 30_000
const postgres = await startOwnPostgres()
console.log(
  `${series.length} series in 40 namespaces, ${scrapes} scrapes after as many for each node to warm up, ${perRequest} samples a request`,
)
const groups: NodeGroup[] = []
for (const count of counts) groups.push(await startGroup(count))
for (const group of groups)
  for (let turn = 0; turn < turns * group.nodes.length; turn++) await takeTurn(group)
for (let turn = 0; turn < turns; turn++) for (const group of groups) await takeMeasuredTurn(group)
for (const group of groups) {
  const { nodes, used } = group
  const samples = series.length * scrapesPerTurn * turns
  const all = sum(used)
  const subjects = await gauges(nodes, 'cheapside_usage_subjects')
  const perMillion = (seconds: number): string => ((seconds / samples) * 1e6).toFixed(2)
  const { idleSeconds, waitedMs, workedMs } = group
  console.log(
    `${nodes.length} nodes: ${perMillion(all)} CPU seconds per million samples, ` +
      `${perMillion(all - (idleSeconds / waitedMs) * workedMs)} without what idle nodes use; ` +
      `containers of each ${subjects.join(', ')}; CPU seconds of each ${used.map((one) => one.toFixed(1)).join(', ')}`,
  )
  if (nodes.length > 1 && kills > 0) await killSeveral(group)
  await Promise.all(nodes.map((node) => node.stop()))
}
await postgres.stop()

/** Nodes that share a database. */
interface NodeGroup {
  readonly databaseUrl: string
  readonly nodes: RunningService[]
  /** CPU seconds of each node in the turns that are measured. */
  readonly used: number[]
  /** CPU seconds of all nodes while other groups take their turns, after those to warm up. */
  idleSeconds: number
  waitedMs: number
  workedMs: number
  readonly endOfTurn: { cpu: number; atMs: number }
  /** Number of scrapes sent. */
  sent: number
}

async function startGroup(count: number): Promise<NodeGroup> {
  const databaseUrl = await postgres.createDatabase()
  const nodes = await Promise.all(Array.from({ length: count }, () => start(databaseUrl)))
  const endOfTurn = { cpu: 0, atMs: 0 }
  const figures = { used: nodes.map(() => 0), idleSeconds: 0, waitedMs: 0, workedMs: 0, endOfTurn, sent: 0 }
  return { databaseUrl, nodes, ...figures }
}

async function takeTurn(group: NodeGroup): Promise<void> {
  const { databaseUrl, nodes, endOfTurn } = group
  for (let scrape = 0; scrape < scrapesPerTurn; scrape++) await push(nodes, group.sent++)
  await settled(databaseUrl)
  endOfTurn.cpu = sum(nodes.map(cpuSeconds))
  endOfTurn.atMs = performance.now()
}

async function takeMeasuredTurn(group: NodeGroup): Promise<void> {
  const { nodes, used, endOfTurn } = group
  const before = nodes.map(cpuSeconds)
  const startedMs = performance.now()
  group.idleSeconds += sum(before) - endOfTurn.cpu
  group.waitedMs += startedMs - endOfTurn.atMs
  await takeTurn(group)
  group.workedMs += performance.now() - startedMs
  for (const [index, cpu] of nodes.map(cpuSeconds).entries()) used[index]! += cpu - before[index]!
}

function sum(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0)
}

/** Kills a node several times, and starts another each time. Sends scrapes until that one has taken over shards. */
async function killSeveral(group: NodeGroup): Promise<void> {
  const { nodes, databaseUrl } = group
  const seconds: number[] = []
  while (seconds.length < kills) {
    seconds.push(await killOne(group))
    nodes.push(await start(databaseUrl))
    await eventually(async () => {
      await push(nodes, group.sent++)
      return Math.min(...(await gauges(nodes, 'cheapside_usage_shards'))) > 0
    })
  }
  await settled(databaseUrl)
  const kept = await withStoreOf({ databaseUrl }, async (store) => {
    let count = 0
    for (const { memory } of (await usageOf(store)).values()) count += memory.count
    return count
  })
  console.log(
    `  one killed, ${kills} times: its shards served after ${seconds.map((one) => one.toFixed(1)).join(', ')} s; ` +
      `${containers * group.sent - kept} of ${containers * group.sent} samples of memory lost`,
  )
}

/** The next scrape arrives while the node is being killed. Waits until other nodes serve all shards that have samples. */
async function killOne(group: NodeGroup): Promise<number> {
  const { nodes, databaseUrl } = group
  const gone = nodes.shift()!
  const killed = performance.now()
  await gone.kill()
  const killedMs = Date.now()
  await push(nodes, group.sent++)
  await withStoreOf({ databaseUrl }, (store) =>
    eventually(async () => {
      const rows = await query<{ name: string }>(
        databaseUrl,
        `SELECT name FROM leases WHERE acquired_at > ${killedMs}`,
      )
      const shards = new Set(rows.map(({ name }) => name).filter((name) => name.startsWith(partitionLeases)))
      const open = await gauges(nodes, 'cheapside_usage_shards')
      const waiting = await store.usage.pending()
      return sum(open) >= shards.size && waiting.every((partition) => shards.has(partitionLease(partition)))
    }),
  )
  return (performance.now() - killed) / 1000
}

async function start(databaseUrl: string): Promise<RunningService> {
  const service = await startService({
    withoutKey: true,
    env: {
      DATABASE_URL: databaseUrl,
      CHEAPSIDE_BOOTSTRAP_KEY: key,
      CHEAPSIDE_RATE_LIMIT: '0',
      CHEAPSIDE_ADDRESS_LIMIT: '0',
      CHEAPSIDE_USAGE_SERIES: '10000000',
      CHEAPSIDE_CATALOGUE: new URL('../../catalogue/more.catalogue', import.meta.url).pathname,
    },
  })
  await eventually(async () => (await ask(service.url, '/readyz')).status === 200)
  return service
}

async function push(nodes: readonly RunningService[], scrape: number): Promise<void> {
  const timeMs = startMs + scrape * 30_000
  const starts = Array.from({ length: Math.ceil(series.length / perRequest) }, (_, n) => n * perRequest)
  const send = async () => {
    for (let from = starts.pop(); from !== undefined; from = starts.pop()) {
      const first = from
      const body = encodeRequest(
        series.slice(first, first + perRequest).map((each, index) => ({
          ...each,
          samples: [{ timeMs, value: valueAt(each.labels[0]![1], first + index, scrape) }],
        })),
      )
      const { url } = nodes[(first / perRequest) % nodes.length]!
      const { status } = await fetch(`${url}/api/v1/write`, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-protobuf',
          'content-encoding': 'snappy',
          'x-api-key': key,
        },
        body: Buffer.from(body),
      })
      if (status === 503) starts.push(first)
      else if (status !== 204) throw new Error(`a node answered ${status}`)
    }
  }
  await Promise.all([send(), send(), send(), send()])
}

function settled(databaseUrl: string): Promise<unknown> {
  return withStoreOf({ databaseUrl }, ({ usage }) =>
    eventually(async () => (await usage.pending()).length === 0),
  )
}

function gauges(nodes: readonly RunningService[], name: string): Promise<number[]> {
  return Promise.all(
    nodes.map(async ({ url }) => {
      const { text } = await ask(url, '/metrics')
      return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
    }),
  )
}

function cpuSeconds({ child }: RunningService): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
