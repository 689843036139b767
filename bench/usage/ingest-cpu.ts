import { hourMs } from '../../src/domain/time.ts'
import { encodeRequest } from '../../src/ingest/remote-write/encode.case.ts'
import { SampleWriter } from '../../src/ingest/sample-writer.ts'
import { Accumulator } from '../../src/usage/digest/accumulator.ts'
import { collectChanges, settleChanges } from '../../src/usage/digest/checkpoint.ts'
import { clusterSeries, valueAt } from './cluster-stream.ts'

/** Measures CPU seconds per million samples to read requests and write them into digests, without HTTP and store. */
const containers = Number(process.argv[2] ?? 2000)
const scrapes = Number(process.argv[3] ?? 60)
const format = process.argv[4] === '2' ? 'remote-write-2' : 'remote-write-1'
const perRequest = 2000
const startMs = 490_000 * hourMs

const labels = clusterSeries(containers)
const writer = new SampleWriter(
  new Accumulator({ maxAgeMs: 48 * hourMs, maxAheadMs: 600_000, maxSubjects: 1e6 }),
)
const bodies = Array.from({ length: scrapes }, (_, scrape) => requests(scrape))
globalThis.gc?.()
const before = process.memoryUsage()
let samples = 0
let readUs = 0
let writeUs = 0
let checkpointUs = 0
let committed = 0
for (const [scrape, list] of bodies.entries()) {
  const timeMs = startMs + scrape * 30_000
  for (const body of list) {
    const start = process.cpuUsage()
    const batch = writer.read(body, format, '', timeMs)
    if (scrape > 0) samples += batch.samples
    const middle = process.cpuUsage(start)
    writer.write(batch, timeMs)
    const end = process.cpuUsage(start)
    if (scrape === 0) continue
    readUs += middle.user + middle.system
    writeUs += end.user + end.system - middle.user - middle.system
  }
  if (scrape % 10 !== 9) continue
  const start = process.cpuUsage()
  const changes = collectChanges(writer.accumulator)
  settleChanges(writer.accumulator, changes)
  for (const { state, digests } of changes.subjects)
    committed += state.length + digests.reduce((sum, row) => sum + row.bytes.length, 0)
  const used = process.cpuUsage(start)
  checkpointUs += used.user + used.system
}

function requests(scrape: number): Uint8Array[] {
  const timeMs = startMs + scrape * 30_000
  const list: Uint8Array[] = []
  for (let from = 0; from < labels.length; from += perRequest)
    list.push(
      encodeRequest(
        labels.slice(from, from + perRequest).map((of, index) => ({
          labels: of,
          samples: [{ timeMs, value: valueAt(of[0]![1], from + index, scrape) }],
        })),
        format,
      ).slice(),
    )
  return list
}

const bytes = bodies.flat().reduce((sum, body) => sum + body.length, 0)
const perMillion = (us: number) => (us / samples).toFixed(2)
globalThis.gc?.()
const after = process.memoryUsage()
console.log(
  `${format}: ${labels.length} series, ${samples} samples, ${(bytes / (scrapes * labels.length)).toFixed(1)} bytes a sample\n` +
    `CPU seconds per million samples: read ${perMillion(readUs)}, write ${perMillion(writeUs)}, ` +
    `checkpoints of every 5 minutes ${perMillion(checkpointUs)} (${(committed / samples).toFixed(1)} bytes a sample)\n` +
    `accepted ${writer.accumulator.counts.accepted}; heap ${((after.heapUsed - before.heapUsed) / 2 ** 20).toFixed(0)} MiB, buffers ${((after.arrayBuffers - before.arrayBuffers) / 2 ** 20).toFixed(0)} MiB`,
)
