import { readFileSync } from 'node:fs'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { contentTypes } from '../src/ingest/remote-write/encode.case.ts'
import { hostileBodies } from '../src/ingest/remote-write/hostile.case.ts'
import { startService } from '../test/service.ts'
import { push, series } from '../test/usage-cluster.ts'

/**
 * One organisation repeats a hostile remote write over four connections. Meanwhile /healthz is requested, and another
 * organisation sends one sample after the other. Prints the responses to both and the maximum resident memory.
 *   node bench/hostile-write.ts [seconds for each attack] [only attacks whose name contains this]
 */
const seconds = Number(process.argv[2] ?? 10)
const only = process.argv[3] ?? ''
const senders = 4
const pauseMs = 20
/** Above this the service is stopped to protect the machine. */
const stopAtMib = 3000
const busyTimeoutMs = 30_000

if (isMainThread) {
  for (const { name, format, body } of hostileBodies(Date.now()))
    if (name.includes(only)) await attack(name, contentTypes[format], body)
} else await observe(workerData)

async function attack(name: string, contentType: string, body: Uint8Array): Promise<void> {
  const service = await startService({ env: { CHEAPSIDE_RATE_LIMIT: '0' } })
  let isAlive = true
  service.child.once('exit', () => {
    isAlive = false
  })
  const [hostile, calm] = [await keyOf('hostile'), await keyOf('calm')]
  const worker = new Worker(new URL(import.meta.url), { workerData: { url: service.url, key: calm } })
  const seen = new Promise<Seen>((resolve) => worker.once('message', resolve))
  const answers = new Map<string, number>()
  let maxMib = 0
  const watch = setInterval(() => {
    maxMib = Math.max(maxMib, isAlive ? residentMib() : 0)
    if (maxMib > stopAtMib) service.child.kill('SIGKILL')
  }, 50)
  const until = performance.now() + seconds * 1000
  await Promise.all(Array.from({ length: senders }, send))
  worker.postMessage('enough')
  const { healthMs, writeMs, failures } = await seen
  clearInterval(watch)
  const ending = isAlive ? `${residentMib().toFixed(0)} at the end` : 'and the process is gone'
  console.log(
    `${name} (${(body.length / 1024).toFixed(0)} KiB): ${[...answers].map(([status, count]) => `${count} x ${status}`).join(', ')}; ` +
      `/healthz p99 ${at(healthMs, 0.99)} ms, at most ${at(healthMs, 1)}; the other's writes p99 ${at(writeMs, 0.99)} ms, at most ${at(writeMs, 1)}, ` +
      `${failures} failed; resident ${maxMib.toFixed(0)} MiB at most, ${ending}`,
  )
  if (isAlive) await service.kill()

  async function send(): Promise<void> {
    while (performance.now() < until && isAlive) {
      const answer = await fetch(`${service.url}/api/v1/write`, {
        method: 'POST',
        headers: { 'content-type': contentType, 'content-encoding': 'snappy', 'x-api-key': hostile },
        body: Buffer.from(body),
        signal: AbortSignal.timeout(busyTimeoutMs),
      }).then(
        ({ status }) => String(status),
        () => 'no answer',
      )
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
      if (answer === 'no answer') await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }

  function residentMib(): number {
    const status = readFileSync(`/proc/${service.child.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  }

  async function keyOf(organisation: string): Promise<string> {
    const body = { organisation, name: 'k', scopes: ['usage:write'] }
    return (await service.request('/admin/keys', { body })).json.key
  }
}

interface Seen {
  readonly healthMs: number[]
  readonly writeMs: number[]
  /** Requests of either kind without a response or with one that is not 2xx. */
  readonly failures: number
}

async function observe(to: { url: string; key: string }): Promise<void> {
  let enough = false
  parentPort!.once('message', () => {
    enough = true
  })
  const seen = { healthMs: [] as number[], writeMs: [] as number[], failures: 0 }
  const repeat = async (times: number[], ask: () => Promise<{ status: number }>) => {
    while (!enough) {
      const began = performance.now()
      const status = await ask().then(
        (answer) => answer.status,
        () => 0,
      )
      times.push(performance.now() - began)
      if (status < 200 || status > 299) seen.failures++
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  await Promise.all([
    repeat(seen.healthMs, async () => {
      const answer = await fetch(`${to.url}/healthz`, { signal: AbortSignal.timeout(busyTimeoutMs) })
      await answer.arrayBuffer()
      return answer
    }),
    repeat(seen.writeMs, () => push(to, [calmSeries()])),
  ])
  parentPort!.postMessage(seen satisfies Seen)
}

function calmSeries() {
  const labels = { namespace: 'n', pod: 'calm', container: 'app' }
  return series('container_memory_working_set_bytes', labels, { timeMs: Date.now(), value: 1 })
}

function at(times: number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b)
  return (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(0)
}
