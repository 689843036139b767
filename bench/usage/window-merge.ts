import { subjectOfKey } from '../../src/domain/subject.ts'
import { PodReader } from '../../src/usage/reading/pod-reader.ts'
import { days, keyOf, monthOf, packsOf, startHour } from './month.ts'
import { loadTraces } from './traces.ts'

/** Time to read and merge the digests of a container's 30 days, one row a day, from real traces; without the store. */
const step = 5
const trace = loadTraces()[0]!
const hours = { from: startHour, to: startHour + days * 24 }
const subject = subjectOfKey(keyOf(0)) as never
const containers = Array.from({ length: trace.series }, (_, series) =>
  packsOf(monthOf(trace, series, step), step).map((bytes) => ({ source: 'push', bytes })),
)
type Rows = (typeof containers)[number]
const reader = new PodReader()
const readers = {
  'percentiles of the window': (rows: Rows) => reader.readTotals(rows, hours)!,
  'all that a recommendation reads': (rows: Rows) => reader.readPod(subject, rows, hours)!,
}

for (const round of ['warm', 'measured'])
  for (const [name, read] of Object.entries(readers)) {
    const start = process.cpuUsage()
    let checksum = 0
    for (const rows of containers) {
      const { cpu, memory } = read(rows)
      checksum += cpu.quantile(0.95) + memory.max
    }
    const { user, system } = process.cpuUsage(start)
    const ms = (user + system) / 1000 / containers.length
    console.log(
      `${round}, ${name}: ${ms.toFixed(3)} CPU ms a container of ${days} days; 10,000 of them ${(ms * 10).toFixed(1)} s (${checksum > 0})`,
    )
  }
