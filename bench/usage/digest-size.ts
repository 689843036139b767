import { deflateRawSync, zstdCompressSync } from 'node:zlib'
import { hourSeconds } from '../../src/domain/time.ts'
import { summariseDay } from '../../src/usage/day/summarise-day.ts'
import { encodeDigests } from '../../src/usage/digest/codec.ts'
import { emptyDigest } from '../../src/usage/digest/digest.ts'
import { Distribution } from '../../src/usage/distribution/distribution.ts'
import { mergeWindow } from '../../src/usage/reading/merge-window.case.ts'
import { loadTraces, samplesPerDay } from './traces.ts'

/** Measures bytes per container-day on real traces, and how far percentiles of the digests are from exact ones. */
const perHour = samplesPerDay / 24

for (const trace of loadTraces()) {
  let days = 0
  let hourly = 0
  let packed = 0
  let summaries = 0
  let deflated = 0
  let zstd = 0
  let worst = 0
  for (let series = 0; series < trace.series; series++) {
    const all: number[] = []
    const sum = new Distribution()
    for (let day = 0; day < trace.days; day++) {
      const digests = []
      for (let hour = 0; hour < 24; hour++) {
        const at = (series * trace.days + day) * samplesPerDay + hour * perHour
        const digest = emptyDigest(488_016 + day * 24 + hour)
        const start = digest.hour * hourSeconds
        for (let index = 0; index < perHour; index++) {
          const cpu = trace.cpuCores[at + index]!
          const memory = trace.memoryGib?.[at + index] ?? Number.NaN
          if (Number.isNaN(cpu)) continue
          if (digest.samples === 0) digest.firstAt = start + index * 300 + 17
          digest.lastAt = start + index * 300 + 17
          digest.samples += Number.isNaN(memory) ? 1 : 2
          const microcores = Math.round(cpu * 1e6)
          const early = index === 0 ? 17 : 300
          digest.cpu.add(microcores, early, Math.round(cpu * early * 1e6))
          all.push(microcores)
          sum.add(microcores)
          if (index === perHour - 1) digest.cpu.add(microcores, 283, Math.round(cpu * 283 * 1e6))
          if (!Number.isNaN(memory)) digest.memory.add(Math.round((memory * 2 ** 30) / 4096) * 4096)
        }
        if (digest.samples === 0) continue
        for (const name of ['cpuRequestMicrocores', 'cpuLimitMicrocores'] as const)
          digest[name] = { at: start + 3585, last: 250_000, max: 250_000 }
        for (const name of ['memoryRequestBytes', 'memoryLimitBytes'] as const)
          digest[name] = { at: start + 3585, last: 2 ** 30, max: 2 ** 30 }
        digest.node = { at: start + 3585, text: 'ip-10-20-30-40.eu-west-1.compute.internal' }
        digest.workload = { at: start + 3585, text: 'Deployment/checkout-service' }
        digest.phase = { at: start + 3585, text: 'Running' }
        digests.push(digest)
      }
      if (digests.length === 0) continue
      days++
      for (const digest of digests) hourly += encodeDigests([digest]).length
      const bytes = encodeDigests(digests)
      summaries += summariseDay(digests).length
      packed += bytes.length
      deflated += deflateRawSync(bytes).length
      zstd += zstdCompressSync(bytes).length
      mergeWindow(digests)
    }
    all.sort((a, b) => a - b)
    for (const q of [0.01, 0.1, 0.5, 0.9, 0.95, 0.99, 0.999]) {
      const exact = all[Math.max(0, Math.ceil(q * all.length) - 1)]
      if (exact) worst = Math.max(worst, Math.abs(sum.quantile(q) - exact) / exact)
    }
  }
  const mean = (bytes: number) => (bytes / days).toFixed(0)
  console.log(
    `${trace.name}: ${days} container-days; bytes a day: ${mean(hourly)} as 24 rows, ${mean(packed)} as one, ${mean(summaries)} its summary, ` +
      `${mean(deflated)} deflated, ${mean(zstd)} zstd; worst percentile off by ${(100 * worst).toFixed(3)}%`,
  )
}
