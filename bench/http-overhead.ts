import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask, eventually, startService } from '../test/service.ts'
import { cpuSeconds, drive, type Load, needWrk } from './load.ts'

// Measures the overhead of the HTTP layer: an authenticated trivial route against a bare node:http server that returns
// the same bytes.

needWrk()
const seconds = 5
const starts: number[] = []
for (let round = 0; round < 5; round++) {
  const started = performance.now()
  const service = await startService()
  await eventually(async () => (await ask(service.url, '/readyz')).status === 200)
  starts.push(performance.now() - started)
  await service.stop()
}
console.log(
  `cold start to ready: ${Math.min(...starts).toFixed(0)} ms at best, ${median(starts).toFixed(0)} ms in the middle of five`,
)

const service = await startService({ env: { CHEAPSIDE_RATE_LIMIT: '0' } })
console.log(`resident memory after start: ${residentMib(service.child.pid!)} MiB`)
const sample = await service.request('/key')
const headers = Object.fromEntries(
  [...sample.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)),
)
const bare = spawn(process.execPath, [
  join(import.meta.dirname, 'bare-server.ts'),
  JSON.stringify({ headers, body: sample.text }),
])
const [line] = await once(bare.stdout, 'data')
const bareUrl = `http://127.0.0.1:${JSON.parse(line).port}/`

const ratios: number[] = []
const cpuRatios: number[] = []
for (let round = 0; round < 5; round++) {
  const ours = await measured(service.child.pid!, () =>
    drive(`${service.url}/key`, { seconds, headers: { 'X-API-KEY': service.key } }),
  )
  const theirs = await measured(bare.pid!, () => drive(bareUrl, { seconds }))
  if (ours.failures + theirs.failures > 0) throw new Error('some requests failed')
  ratios.push(ours.requestsPerSecond / theirs.requestsPerSecond)
  cpuRatios.push(theirs.cpuMicros / ours.cpuMicros)
  console.log(
    `round ${round + 1}: cheapside ${loadText(ours)}; bare node:http ${loadText(theirs)}; ratio ${ratios.at(-1)!.toFixed(2)}`,
  )
}
console.log(`resident memory after load: ${residentMib(service.child.pid!)} MiB`)
console.log(`ratio to bare node:http: ${median(ratios).toFixed(2)} (goal: at least 0.70)`)
console.log(
  `the same by CPU time a request, which other work on the machine does not disturb: ${median(cpuRatios).toFixed(2)}`,
)
bare.kill()
await service.stop()

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

function residentMib(pid: number): number {
  const kib = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  return Math.round(kib / 1024)
}

/** Adds the CPU time per request of the process. */
async function measured(pid: number, work: () => Promise<Load>): Promise<Load & { cpuMicros: number }> {
  const before = cpuSeconds(pid)
  const load = await work()
  return { ...load, cpuMicros: ((cpuSeconds(pid) - before) * 1e6) / (load.requestsPerSecond * seconds) }
}

function loadText({ requestsPerSecond, p99Ms, cpuMicros }: Load & { cpuMicros: number }): string {
  return `${requestsPerSecond.toFixed(0)}/s (p99 ${p99Ms} ms, ${cpuMicros.toFixed(0)} us of CPU each)`
}
