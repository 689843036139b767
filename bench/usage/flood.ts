import { readFileSync } from 'node:fs'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { startService } from '../../test/service.ts'
import { push, series } from '../../test/usage-cluster.ts'

/**
 * One organisation sends new series as fast as two senders can, another sends one sample after the other. Prints the
 * results of both, and the resident memory of the service afterwards. On two cores the sender takes one of them.
 *   node bench/usage/flood.ts [new series] [series that an organisation may send]
 */
const count = Number(process.argv[2] ?? 300_000)
const perRequest = 2000
const pauseMs = 50

if (isMainThread) await flood()
else await sendCalmly(workerData)

async function flood(): Promise<void> {
  const service = await startService({
    env: { CHEAPSIDE_RATE_LIMIT: '0', CHEAPSIDE_USAGE_SERIES: process.argv[3] ?? '500000' },
  })
  try {
    const [flooding, calm] = [await keyOf('flooding'), await keyOf('calm')]
    const worker = new Worker(new URL(import.meta.url), { workerData: { url: service.url, key: calm } })
    const calmResult = new Promise<CalmResult>((resolve) => worker.once('message', resolve))
    const answers = new Map<number, number>()
    const began = performance.now()
    let sent = 0
    const send = async () => {
      while (sent < count) {
        const from = sent
        sent += perRequest
        const pods = Array.from({ length: perRequest }, (_, n) => memoryOf(`p${from + n}`))
        const { status } = await push(service, pods, { key: flooding })
        answers.set(status, (answers.get(status) ?? 0) + 1)
      }
    }
    await Promise.all([send(), send()])
    const seconds = (performance.now() - began) / 1000
    worker.postMessage('enough')
    const { statuses, times } = await calmResult
    console.log(
      `${count} new series in ${seconds.toFixed(1)} s, ${perRequest} a request: ${counted(answers)}; ` +
        `${(residentBytes(service.child.pid!) / 2 ** 20).toFixed(0)} MiB resident`,
    )
    const at = (share: number) => times[Math.floor(share * (times.length - 1))]!.toFixed(0)
    console.log(`the other's requests: ${counted(statuses)}; ${at(0.5)} ms at the median, ${at(1)} at most`)
  } finally {
    await service.kill()
  }

  async function keyOf(organisation: string): Promise<string> {
    const body = { organisation, name: 'k', scopes: ['usage:write'] }
    return (await service.request('/admin/keys', { body })).json.key
  }
}

interface CalmResult {
  readonly statuses: ReadonlyMap<number, number>
  /** Ascending. */
  readonly times: readonly number[]
}

async function sendCalmly(to: { url: string; key: string }): Promise<void> {
  let enough = false
  parentPort!.once('message', () => {
    enough = true
  })
  const statuses = new Map<number, number>()
  const times: number[] = []
  while (!enough) {
    const began = performance.now()
    const { status } = await push(to, [memoryOf('calm')])
    times.push(performance.now() - began)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  parentPort!.postMessage({ statuses, times: times.sort((a, b) => a - b) } satisfies CalmResult)
}

function memoryOf(pod: string) {
  const labels = {
    namespace: 'n',
    pod,
    container: 'app',
    job: 'kubelet',
    id: `/kubepods/burstable/pod${pod}`,
  }
  return series('container_memory_working_set_bytes', labels, { timeMs: Date.now(), value: 1 })
}

function counted(answers: ReadonlyMap<number, number>): string {
  return [...answers].map(([status, times]) => `${times} x ${status}`).join(', ')
}

function residentBytes(pid: number): number {
  return 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}
