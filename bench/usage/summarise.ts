import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { subjectOfKey } from '../../src/domain/subject.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/port.ts'
import { databaseFile } from '../../src/store/sqlite/store.ts'
import type { Distribution } from '../../src/usage/distribution/distribution.ts'
import type { StoredSubject } from '../../src/usage/port.ts'
import { hourlyHours, PodReader } from '../../src/usage/reading/pod-reader.ts'
import { type DayPack, days, keyOf, monthOf, packsOf, startHour } from './month.ts'
import { askVictoria, quantiles } from './quantiles-over-time.ts'
import { loadTraces } from './traces.ts'

/**
 * Measures p50, p95, p99 and maximum of CPU and memory of many containers over 30 days: from the digests in the
 * embedded database, read as the service reads them, and by quantile_over_time in VictoriaMetrics, which has the
 * samples themselves. Both must give the same results. Also prints the bytes on disk per container-day.
 *   node bench/usage/summarise.ts [containers in VictoriaMetrics, 0: none] [containers in Cheapside] [minutes between samples]
 */
const few = Number(process.argv[2] ?? 100)
const many = Number(process.argv[3] ?? 10_000)
const step = Number(process.argv[4] ?? 1)
/** Guaranteed maximum relative error of a percentile. */
const promised = 0.01
const hours = { from: startHour, to: startHour + days * 24 }
type Use = { readonly cpu: Distribution; readonly memory: Distribution }
const reader = new PodReader()
const readers: readonly [string, (of: StoredSubject) => Use | undefined][] = [
  ['percentiles of the window', (stored) => reader.readTotals(stored, hours)],
  [
    'all that a recommendation reads',
    (stored) => reader.readPod(subjectOfKey(stored.key) as never, stored, hours),
  ],
]

const trace = loadTraces()[0]!
const months = Array.from({ length: few || trace.series }, (_, series) =>
  monthOf(trace, series % trace.series, step),
)
const directory = mkdtempSync(join(tmpdir(), 'cheapside-bench-'))
try {
  const store = await openStore({ dataDirectory: directory })
  const packs = months.map((month) => packsOf(month, step))
  const bytes = await fill(store, packs)
  console.log(
    `${many} containers x ${days} days, a sample in ${step} min: ${(bytes / (many * days)).toFixed(0)} bytes a container-day on disk`,
  )
  const theirs = few > 0 ? await askVictoria(months, step) : undefined
  if (theirs) {
    const { cpuSeconds, seconds } = theirs
    console.log(
      `VictoriaMetrics: ${((cpuSeconds / few) * 1000).toFixed(2)} CPU ms a container (${few} of them: ${seconds.toFixed(1)} s)`,
    )
  }
  for (const [name, read] of readers) {
    const { cpuSeconds, seconds, found } = await summarise(store, read)
    const each = (cpuSeconds / many) * 1000
    console.log(
      `Cheapside, ${name}: ${each.toFixed(3)} CPU ms a container, ${many} of them ${seconds.toFixed(1)} s` +
        (theirs
          ? `; VictoriaMetrics ${(((theirs.cpuSeconds / few) * 1000) / each).toFixed(0)} times as much`
          : ''),
    )
    if (theirs) compare(found, theirs.answers)
  }
  await store.close()
} finally {
  rmSync(directory, { recursive: true, force: true })
}

/** Returns the bytes on disk. */
async function fill(store: Store, packs: readonly DayPack[][]): Promise<number> {
  const partition = { organisation: 'default', source: 'push' }
  const before = size()
  const { epoch } = await store.usage.open(partition)
  for (let from = 0; from < many; from += 20) {
    const containers = Array.from({ length: Math.min(20, many - from) }, (_, n) => from + n)
    const rows = containers.flatMap((container) =>
      packs[container % packs.length]!.map((pack, day) => ({
        key: keyOf(container),
        day: startHour / 24 + day,
        ...pack,
      })),
    )
    await store.usage.compact(partition, epoch, rows)
  }
  return size() - before
}

async function summarise(store: Store, read: (of: StoredSubject) => Use | undefined) {
  const found: number[][] = []
  const cpu = process.cpuUsage()
  const began = performance.now()
  const query = {
    kind: 'container',
    fromHour: hours.from,
    toHour: hours.to,
    summariesBefore: hours.to - hourlyHours,
  } as const
  for await (const subject of store.usage.digests('default', query)) {
    const use = read(subject)!
    const values = [
      ...quantiles.map((q) => use.cpu.quantile(q) / 1e6),
      ...quantiles.map((q) => use.memory.quantile(q)),
    ]
    if (found.length < few) found.push(values)
  }
  const { user, system } = process.cpuUsage(cpu)
  return { cpuSeconds: (user + system) / 1e6, seconds: (performance.now() - began) / 1000, found }
}

/**
 * VictoriaMetrics interpolates between two samples if the rank falls between them. Our value then need only be within
 * 1% of the range between these samples.
 */
function compare(ours: readonly (readonly number[])[], theirs: readonly (readonly number[])[]): void {
  let [worst, between, wrong, all] = [0, 0, 0, 0]
  for (const [container, expected] of theirs.entries())
    for (const [index, value] of expected.entries()) {
      const mine = ours[container]![index]!
      const off = Math.abs(mine - value) / (value || 1)
      all++
      if (off <= promised) worst = Math.max(worst, off)
      else if (isBetween(mine, container, index)) between++
      else wrong++
    }
  console.log(
    `  ${all} answers compared: at most ${(worst * 100).toFixed(2)}% apart, ${between} between two samples that are further apart, ${wrong} wrong`,
  )
  if (wrong > 0) process.exitCode = 1
}

function isBetween(mine: number, container: number, index: number): boolean {
  const { cores, bytes } = months[container]!
  const samples = (index < quantiles.length ? cores : bytes).toSorted()
  const rank = quantiles[index % quantiles.length]! * (samples.length - 1)
  // One sample further, since the first sample has no rate.
  const [below, above] = [samples[Math.floor(rank) - 1]!, samples[Math.ceil(rank) + 1] ?? samples.at(-1)!]
  return mine >= below * (1 - promised) && mine <= above * (1 + promised)
}

function size(): number {
  const file = join(directory, databaseFile)
  const db = new DatabaseSync(file, { timeout: 60_000 })
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  return statSync(file).size
}
