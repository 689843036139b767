import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { encodeRequest } from '../../src/collectors/remote-write/encode.case.ts'
import { SampleWriter } from '../../src/ingest/sample-writer.ts'
import { Accumulator } from '../../src/usage/digest/accumulator.ts'
import { collectChanges, settleChanges } from '../../src/usage/digest/checkpoint.ts'
import { hourMs } from '../../src/usage/digest/digest.ts'
import { clusterSeries, valueAt } from './cluster-stream.ts'

/**
 * Bytes of memory that the digester takes for each container: 16 series of which 8 are of use, a scrape every 30 seconds for an
 * hour and a half, a checkpoint every five minutes.
 *   node bench/usage/subject-memory.ts [containers] [scrapes]
 */
const containers = Number(process.argv[2] ?? 2000)
const scrapes = Number(process.argv[3] ?? 180)
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
const before = inUse()
const writer = new SampleWriter(
  new Accumulator({ maxAgeMs: 48 * hourMs, maxAheadMs: 600_000, maxSubjects: 1e7 }),
)
for (let scrape = 0; scrape < scrapes; scrape++) {
  const timeMs = startMs + scrape * 30_000
  for (let from = 0; from < labels.length; from += perRequest)
    writer.write(writer.read(request(from, scrape, timeMs), 'remote-write-1', '', timeMs), timeMs)
  if (scrape === 0) report('after the first scrape')
  if (scrape % 10 === 9) settleChanges(writer.accumulator, collectChanges(writer.accumulator))
}
report(`after ${scrapes} scrapes`)

function report(when: string): void {
  const { subjects } = writer.accumulator
  console.log(`${when}: ${Math.round((inUse() - before) / subjects.size)} bytes for each of ${subjects.size} containers`)
}

function request(from: number, scrape: number, timeMs: number): Uint8Array {
  return encodeRequest(
    labels.slice(from, from + perRequest).map((of, index) => ({
      labels: of,
      samples: [{ timeMs, value: valueAt(of[0]![1], from + index, scrape) }],
    })),
  )
}
