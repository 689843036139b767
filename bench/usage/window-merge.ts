import { subjectOfKey } from '../../src/domain/subject.ts'
import { PodReader, type StoredUsage } from '../../src/usage/reading/pod-reader.ts'
import { type DayPack, days, keyOf, monthOf, packsOf, startHour } from './month.ts'
import { loadTraces } from './traces.ts'

/**
 * Measures the time to read 30 days of a container, from real traces, out of day summaries except for the last day;
 * without the store.
 */
const step = 5
const trace = loadTraces()[0]!
const hours = { from: startHour, to: startHour + days * 24 }
const subject = subjectOfKey(keyOf(0)) as never
const containers = Array.from({ length: trace.series }, (_, series) =>
  storedOf(packsOf(monthOf(trace, series, step), step)),
)
const reader = new PodReader()
const readers = {
  'percentiles of the window': (stored: StoredUsage) => reader.readTotals(stored, hours)!,
  'all that a recommendation reads': (stored: StoredUsage) => reader.readPod(subject, stored, hours)!,
}

for (const round of ['warm', 'measured'])
  for (const [name, read] of Object.entries(readers)) {
    const start = process.cpuUsage()
    let checksum = 0
    for (const stored of containers) {
      const { cpu, memory } = read(stored)
      checksum += cpu.quantile(0.95) + memory.max
    }
    const { user, system } = process.cpuUsage(start)
    const ms = (user + system) / 1000 / containers.length
    console.log(
      `${round}, ${name}: ${ms.toFixed(3)} CPU ms a container of ${days} days; 10,000 of them ${(ms * 10).toFixed(1)} s (${checksum > 0})`,
    )
  }

/** Returns the usage as the store would. */
function storedOf(packs: readonly DayPack[]): StoredUsage {
  return {
    rows: packs.slice(-1).map(({ bytes }) => ({ source: 'push', bytes })),
    days: Buffer.concat(packs.slice(0, -1).map(({ summary }) => summary)),
  }
}
