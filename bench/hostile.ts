import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { pipelineWithoutReading, type RawClient } from '../test/hostile/raw-client.ts'
import { startService } from '../test/service.ts'

// Measures how clients that pipeline 1,700 requests and read no response affect others: /healthz, and the memory in
// use.
// `held`: the connections stay open for as long as the server allows. `repeated`: each is dropped after 100 ms and
// opened again.

interface Attack {
  readonly url: string
  readonly path: string
  readonly connections: number
  readonly repeated: boolean
}

const seconds = 10

if (isMainThread) {
  for (const path of ['/openapi.json', '/metrics']) {
    for (const connections of [10, 50]) {
      for (const repeated of [false, true]) await measure(path, connections, repeated)
    }
  }
} else attack(workerData as Attack)

async function measure(path: string, connections: number, repeated: boolean): Promise<void> {
  const service = await startService({ env: { NODE_OPTIONS: '--max-old-space-size=512' } })
  const { url } = service
  const agent = new Agent({ keepAlive: true })
  for (let i = 0; i < 100; i++) await healthMs(url, agent)
  const before = peakMib(service.child.pid!)
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { url, path, connections, repeated } satisfies Attack,
  })
  const latencies: number[] = []
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    latencies.push(await healthMs(url, agent))
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const peak = peakMib(service.child.pid!)
  worker.postMessage('stop')
  const opened = await new Promise<number>((resolve) => worker.once('message', resolve))
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)]!.toFixed(1)
  console.log(
    `${path}, ${connections} connections, ${repeated ? `repeated (${opened} opened)` : 'held'}: /healthz p50 ${at(0.5)} ms, ` +
      `p99 ${at(0.99)} ms (goal: 250), worst ${at(1)} ms; peak resident ${peak} MiB (goal: 600), ${before} before`,
  )
  agent.destroy()
  await service.kill()
}

function attack({ url, path, connections, repeated }: Attack): void {
  let opened = 0
  let stopped = false
  const clients = new Set<RawClient>()
  const open = (): void => {
    if (stopped) return
    opened++
    const [client] = pipelineWithoutReading(url, path, 1) as [RawClient]
    clients.add(client)
    if (!repeated) return
    setTimeout(() => client.destroy(), 100)
    void client.closed.then(() => {
      clients.delete(client)
      open()
    })
  }
  for (let i = 0; i < connections; i++) open()
  parentPort!.once('message', () => {
    stopped = true
    for (const client of clients) client.destroy()
    parentPort!.postMessage(opened)
  })
}

function healthMs(url: string, agent: Agent): Promise<number> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    get(`${url}/healthz`, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`/healthz answered ${response.statusCode}`))
      response.resume().once('end', () => resolve(performance.now() - started))
    }).once('error', reject)
  })
}

function peakMib(pid: number): number {
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
}
