import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { subjectKey } from '../../src/domain/subject.ts'
import { openStore } from '../../src/store/open.ts'
import { databaseFile } from '../../src/store/sqlite/store.ts'
import { emptyDigest, hourSeconds } from '../../src/usage/digest.ts'
import { encodeDay } from '../../src/usage/digest-codec.ts'
import { WindowSum } from '../../src/usage/window-sum.ts'
import { startVictoriaMetrics } from '../../test/peers/victoria-metrics.ts'
import { loadTraces, samplesPerDay, type Trace } from './traces.ts'

/**
 * Percentiles of CPU and memory of many containers over 30 days: from the digests in the embedded database, and by
 * quantile_over_time in VictoriaMetrics, which has the samples themselves. Real traces of five minutes, drawn out to
 * one sample a minute unless told otherwise. And what a container-day takes on disk.
 *   node bench/usage/summarise.ts [containers in VictoriaMetrics, 0: none] [containers in Cheapside] [minutes between samples]
 */
const few = Number(process.argv[2] ?? 100)
const many = Number(process.argv[3] ?? 10_000)
const days = 30
const step = Number(process.argv[4] ?? 1)
const count = (days * 1440) / step
const endHour = Math.floor(Date.now() / 3_600_000) - 1
const startHour = Math.floor(endHour / 24) * 24 - days * 24
const startMs = startHour * 3_600_000
const trace = loadTraces()[0]!

const folder = mkdtempSync(join(tmpdir(), 'cheapside-bench-'))
const victoria = await startVictoriaMetrics([
  '-search.maxQueryDuration=20m',
  '-search.maxPointsPerTimeseries=200000',
])
try {
  const machines = Array.from({ length: few || trace.series }, (_, series) =>
    samplesOf(trace, series % trace.series),
  )
  const ours = await measureOurs(machines)
  const theirs = few > 0 && (await measureTheirs(machines))
  if (theirs)
    console.log(
      `${few} containers, ${days} days, p50, p95, p99 and maximum of CPU and memory: Cheapside ${ours.cpu.toFixed(2)} CPU s ` +
        `(${ours.wall.toFixed(2)} s), VictoriaMetrics ${theirs.cpu.toFixed(2)} CPU s (${theirs.wall.toFixed(2)} s): ` +
        `${(theirs.cpu / ours.cpu).toFixed(0)} times the CPU, ${(theirs.wall / ours.wall).toFixed(0)} times the time`,
    )
} finally {
  await victoria.stop()
  rmSync(folder, { recursive: true, force: true })
}

interface Machine {
  readonly cores: Float64Array
  readonly bytes: Float64Array
}

/** Five-minute samples, drawn out to minutes with a little of what minutes add. */
function samplesOf(of: Trace, series: number): Machine {
  const cores = new Float64Array(count)
  const bytes = new Float64Array(count)
  const base = series * of.days * samplesPerDay
  for (let sample = 0; sample < count; sample++) {
    const at = base + Math.floor((sample * step) / 5)
    const noise =
      step >= 5 ? 1 : 0.9 + ((Math.imul(series * 7919 + sample, 2246822519) >>> 8) / 2 ** 24) * 0.2
    cores[sample] = Math.round((of.cpuCores[at]! || 0) * noise * 1e6) / 1e6
    bytes[sample] = Math.round(((of.memoryGib?.[at] ?? 0) || 0) * noise * 2 ** 18) * 4096
  }
  return { cores, bytes }
}

async function measureOurs(machines: readonly Machine[]) {
  const store = await openStore({ dataFolder: folder })
  const packs = machines.map(packsOf)
  let result = { cpu: 0, wall: 0 }
  for (const containers of few === 0 ? [many] : [few, many]) {
    const partition = { organisation: `org${containers}`, source: 'push' }
    const before = size()
    const { epoch } = await store.usage.open(partition)
    for (let from = 0; from < containers; from += 20) {
      const rows = Array.from({ length: Math.min(20, containers - from) }, (_, n) => from + n).flatMap(
        (container) =>
          packs[container % packs.length]!.map((bytes, day) => ({
            key: keyOf(container),
            day: startHour / 24 + day,
            bytes,
          })),
      )
      await store.usage.compact(partition, epoch, rows)
    }
    const bytes = size() - before
    const cpu = process.cpuUsage()
    const began = performance.now()
    let checksum = 0
    const query = { kind: 'container', fromHour: startHour, toHour: startHour + days * 24 } as const
    for await (const { rows } of store.usage.digests(partition.organisation, query)) {
      const sum = new WindowSum()
      for (const row of rows) sum.add(row.bytes, query.fromHour, query.toHour)
      const total = sum.total()
      for (const used of [total.cpu, total.memory])
        checksum += used.quantile(0.5) + used.quantile(0.95) + used.quantile(0.99) + used.max
    }
    const spent = process.cpuUsage(cpu)
    const measured = { cpu: (spent.user + spent.system) / 1e6, wall: (performance.now() - began) / 1000 }
    console.log(
      `Cheapside, ${containers} containers x ${days} days: ${measured.cpu.toFixed(2)} CPU s, ${measured.wall.toFixed(2)} s; ` +
        `${(bytes / (containers * days)).toFixed(0)} bytes a container-day on disk (${checksum > 0})`,
    )
    if (containers === few) result = measured
  }
  await store.close()
  return result

  function size(): number {
    const file = join(folder, databaseFile)
    const db = new DatabaseSync(file, { timeout: 60_000 })
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    db.close()
    return statSync(file).size
  }
}

function keyOf(container: number): string {
  return subjectKey({
    kind: 'container',
    cluster: 'production',
    namespace: `team-${container % 40}`,
    pod: `service-${container % 900}-7d9f8b6c5-${container.toString(36).padStart(5, '0')}`,
    container: 'app',
  })
}

function packsOf({ cores, bytes }: Machine): Uint8Array[] {
  return Array.from({ length: days }, (_, day) => {
    const digests = Array.from({ length: 24 }, (_, hour) => {
      const digest = emptyDigest(startHour + day * 24 + hour)
      for (let sample = 0; sample < 60 / step; sample++) {
        const at = ((day * 24 + hour) * 60) / step + sample
        const microcores = Math.round(cores[at]! * 1e6)
        digest.cpu.add(microcores, 60 * step, microcores * 60 * step)
        digest.memory.add(bytes[at]!)
      }
      digest.samples = 120 / step
      digest.firstAt = digest.hour * hourSeconds
      digest.lastAt = digest.hour * hourSeconds + 3600 - 60 * step
      digest.node = { at: digest.lastAt, text: 'ip-10-20-30-40.eu-west-1.compute.internal' }
      digest.workload = { at: digest.lastAt, text: 'Deployment/checkout-service' }
      return digest
    })
    return encodeDay(digests)
  })
}

async function measureTheirs(machines: readonly Machine[]) {
  const timestamps = Array.from({ length: count }, (_, sample) => startMs + sample * step * 60_000)
  for (const [container, { cores, bytes }] of machines.entries()) {
    let total = 0
    const counter = Array.from(cores, (value) => (total += value * 60 * step)).map(
      (value) => Math.round(value * 1e6) / 1e6,
    )
    const pod = { namespace: 'shop', pod: `p${container}`, container: 'app' }
    const lines = [
      { metric: { __name__: 'container_cpu_usage_seconds_total', ...pod }, values: counter, timestamps },
      {
        metric: { __name__: 'container_memory_working_set_bytes', ...pod },
        values: Array.from(bytes),
        timestamps,
      },
    ]
    const { ok } = await fetch(`${victoria.url}/api/v1/import`, {
      method: 'POST',
      body: lines.map((line) => JSON.stringify(line)).join('\n'),
    })
    if (!ok) throw new Error('VictoriaMetrics did not take the samples')
  }
  await fetch(`${victoria.url}/internal/force_merge`)
  await fetch(`${victoria.url}/internal/force_flush`)
  const memory = `container_memory_working_set_bytes[${days}d]`
  const cpu = `rate(container_cpu_usage_seconds_total[${2 * step}m])[${days}d:${step}m]`
  const queries = [cpu, memory].flatMap((of) =>
    [0.5, 0.95, 0.99, 1].map((q) => `quantile_over_time(${q}, ${of})`),
  )
  const before = victoria.cpuSeconds()
  const began = performance.now()
  for (const query of queries) {
    const time = String((startMs + days * 86_400_000) / 1000)
    const answer = await fetch(`${victoria.url}/api/v1/query`, {
      method: 'POST',
      body: new URLSearchParams({ query, time, nocache: '1' }),
    })
    const { status, data, error } = (await answer.json()) as {
      status: string
      data?: { result: unknown[] }
      error?: string
    }
    if (status !== 'success' || data!.result.length !== few)
      throw new Error(error ?? `${data!.result.length} series`)
  }
  return { cpu: victoria.cpuSeconds() - before, wall: (performance.now() - began) / 1000 }
}
