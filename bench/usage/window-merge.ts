import { emptyDigest, hourSeconds } from '../../src/usage/digest.ts'
import { encodeDay } from '../../src/usage/digest-codec.ts'
import { WindowSum } from '../../src/usage/window-sum.ts'
import { loadTraces, samplesPerDay } from './traces.ts'

/** Time to read and merge the digests of a container's 30 days, one pack a day, from real traces; without the store. */
const trace = loadTraces()[0]!
const days = 30
const perHour = samplesPerDay / 24
const packs: Uint8Array[][] = []
for (let series = 0; series < trace.series; series++) {
  const list: Uint8Array[] = []
  for (let day = 0; day < days; day++) {
    const digests = []
    for (let hour = 0; hour < 24; hour++) {
      const digest = emptyDigest(488_016 + day * 24 + hour)
      const at = (series * trace.days + day) * samplesPerDay + hour * perHour
      for (let index = 0; index < perHour; index++) {
        const cpu = trace.cpuCores[at + index]!
        if (Number.isNaN(cpu)) continue
        digest.cpu.add(Math.round(cpu * 1e6), 300)
        digest.memory.add(Math.round(trace.memoryGib![at + index]! * 2 ** 30))
        digest.samples += 2
        digest.firstAt ||= digest.hour * hourSeconds + index * 300
        digest.lastAt = digest.hour * hourSeconds + index * 300
      }
      if (digest.samples > 0) digests.push(digest)
    }
    if (digests.length > 0) list.push(encodeDay(digests))
  }
  packs.push(list)
}
for (const round of ['warm', 'measured']) {
  const start = process.cpuUsage()
  let checksum = 0
  for (const list of packs) {
    const sum = new WindowSum()
    for (const bytes of list) sum.add(bytes)
    const usage = sum.total()
    checksum += usage.cpu.quantile(0.95) + usage.memory.max
  }
  const { user, system } = process.cpuUsage(start)
  const ms = (user + system) / 1000 / packs.length
  console.log(
    `${round}: ${ms.toFixed(3)} CPU ms a container of ${days} days; 10,000 of them ${(ms * 10).toFixed(1)} s (${checksum > 0})`,
  )
}
