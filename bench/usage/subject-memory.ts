import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { hourMs } from '../../src/domain/time.ts'
import { encodeRequest } from '../../src/ingest/remote-write/encode.case.ts'
import { SampleWriter } from '../../src/ingest/sample-writer.ts'
import { Accumulator } from '../../src/usage/digest/accumulator.ts'
import { collectChanges, settleChanges } from '../../src/usage/digest/checkpoint.ts'
import { clusterSeries, valueAt } from './cluster-stream.ts'

/**
 * Measures the bytes of memory that the digester holds for each container: 16 series, of which 8 are used, a scrape
 * every 30 seconds for an hour and a quarter, a checkpoint every five minutes. Compares the memory in use with and
 * without the digester.
 *   node bench/usage/subject-memory.ts [containers] [scrapes]
 */
const containers = Number(process.argv[2] ?? 2000)
const scrapes = Number(process.argv[3] ?? 150)
const perRequest = 2000
const startMs = 490_000 * hourMs

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void
const inUse = (): number => {
  gc()
  gc()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const labels = clusterSeries(containers)
let writer: SampleWriter | undefined = new SampleWriter(
  new Accumulator({ maxAgeMs: 48 * hourMs, maxAheadMs: 600_000, maxSubjects: 1e7 }),
)
fill(writer)
const subjects = writer.accumulator.subjects.size
const withDigester = inUse()
writer = undefined
console.log(`${Math.round((withDigester - inUse()) / subjects)} bytes for each of ${subjects} containers`)

/**
 * The first scrape is sent as requests, which create the tables of series. The others are added sample by sample, which
 * is faster to prepare.
 */
function fill(into: SampleWriter): void {
  for (let from = 0; from < labels.length; from += perRequest) {
    const series = labels.slice(from, from + perRequest).map((of, index) => ({
      labels: of,
      samples: [{ timeMs: startMs, value: valueAt(of[0]![1], from + index, 0) }],
    }))
    into.write(into.read(encodeRequest(series), 'remote-write-1', '', startMs), startMs)
  }
  const known = labels.map((of) => into.seriesOf(of, ''))
  for (let scrape = 1; scrape < scrapes; scrape++) {
    const timeMs = startMs + scrape * 30_000
    for (const [index, series] of known.entries())
      if (series !== undefined)
        into.accumulator.sample(series, timeMs, valueAt(labels[index]![0]![1], index, scrape), timeMs)
    if (scrape % 10 === 9) settleChanges(into.accumulator, collectChanges(into.accumulator))
  }
}
