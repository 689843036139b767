import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { knownMetrics } from '../../src/ingest/metrics/interpret.ts'
import { startOwnPostgres } from '../../test/peers/postgres.ts'
import { startVictoriaMetrics } from '../../test/peers/victoria-metrics.ts'
import { ask, eventually, startService } from '../../test/service.ts'
import { withStoreOf } from '../../test/usage-cluster.ts'
import { clusterSeries, valueAt } from './cluster-stream.ts'

/**
 * Measures collecting from a large engine: a VictoriaMetrics with this many series, and nodes on one PostgreSQL that
 * collect from it. Prints the time until everything is digested, CPU seconds per million samples of the nodes and of
 * the engine, and the share and memory of each node.
 *   node bench/usage/collect.ts [--series 50000] [--hours 2] [--nodes 1,2]
 */
const { values } = parseArgs({
  options: {
    series: { type: 'string', default: '50000' },
    hours: { type: 'string', default: '2' },
    nodes: { type: 'string', default: '1,2' },
  },
})
const hours = Number(values.hours)
const scrapeMs = 60_000
const scrapes = hours * 60
const known = new Set(knownMetrics)
const seriesOf = (count: number) => clusterSeries(count).filter((of) => known.has(of[0]![1]))
const containers = Math.ceil(Number(values.series) / seriesOf(1).length)
const labels = seriesOf(containers)
const samples = labels.length * scrapes
const startMs = Date.now() - 120_000 - scrapes * scrapeMs

const victoria = await startVictoriaMetrics(['-search.maxUniqueTimeseries=1000000'])
const postgres = await startOwnPostgres()
try {
  await load()
  console.log(`${labels.length} series of ${containers} containers in 40 namespaces, ${samples} samples`)
  for (const count of values.nodes.split(',').map(Number)) await collectWith(count)
} finally {
  await Promise.all([victoria.stop(), postgres.stop()])
}

async function load(): Promise<void> {
  const timestamps = Array.from({ length: scrapes }, (_, scrape) => startMs + scrape * scrapeMs)
  for (let first = 0; first < labels.length; first += 500) {
    const lines = labels.slice(first, first + 500).map((of, index) => {
      const own = timestamps.map((_, scrape) => valueAt(of[0]![1], first + index, scrape))
      return JSON.stringify({ metric: Object.fromEntries(of), values: own, timestamps })
    })
    const { ok, status } = await fetch(`${victoria.url}/api/v1/import`, {
      method: 'POST',
      body: lines.join('\n'),
    })
    if (!ok) throw new Error(`VictoriaMetrics answered ${status}`)
  }
  await fetch(`${victoria.url}/internal/force_flush`)
}

async function collectWith(count: number): Promise<void> {
  const databaseUrl = await postgres.createDatabase()
  const engineBefore = victoria.cpuSeconds()
  const env = {
    DATABASE_URL: databaseUrl,
    CHEAPSIDE_COLLECT_FROM: `east=${victoria.url}`,
    CHEAPSIDE_COLLECT_DAYS: '1',
  }
  const began = performance.now()
  const nodes = await Promise.all(
    Array.from({ length: count }, () => startService({ withoutKey: true, env })),
  )
  const pids = nodes.map(({ child }) => child.pid!)
  for (const { url } of nodes) await eventually(async () => (await ask(url, '/readyz')).status === 200)
  const before = pids.map(cpuSeconds)
  await withStoreOf({ databaseUrl }, (store) =>
    eventually(async () => {
      const parts = await store.usage.partitions()
      return parts.length >= 4 && parts.every(({ resume }) => Number(resume) > startMs + scrapes * scrapeMs)
    }),
  )
  const seconds = (performance.now() - began) / 1000
  const used = pids.map((pid, node) => cpuSeconds(pid) - before[node]!)
  const engine = victoria.cpuSeconds() - engineBefore
  const perMillion = (cpu: number): string => ((cpu / samples) * 1e6).toFixed(2)
  console.log(
    `${count} nodes: ${seconds.toFixed(1)} s; CPU seconds per million samples: ours ${perMillion(used.reduce((sum, one) => sum + one, 0))}, ` +
      `of the engine ${perMillion(engine)}; CPU seconds of each node ${used.map((one) => one.toFixed(1)).join(', ')}; ` +
      `resident at most ${pids.map(maxResidentMib).join(', ')} MiB`,
  )
  await Promise.all(nodes.map((node) => node.stop()))
}

function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function maxResidentMib(pid: number): number {
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024)
}
