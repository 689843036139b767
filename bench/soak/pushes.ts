import { setTimeout as delay } from 'node:timers/promises'
import { encodeRequest } from '../../src/ingest/remote-write/encode.case.ts'
import { seriesOf } from '../../test/pushed-cluster.ts'
import { markOf } from './ledger.ts'
import type { Work } from './worker.ts'

const pauseMs = 50
/** With twenty pushes a second for an hour, times go from 30 hours ago to now. */
const stepMs = 1_500
const startMs = Date.now() - 30 * 3_600_000

/**
 * Pushes as senders do: each until it is acknowledged, and sometimes once more. The n-th push adds one observation of
 * memory and one second of CPU, so that the stored data shows how many pushes were counted.
 */
export const pushWork =
  (kind: 'cluster' | 'machine', number: number): Work =>
  async ({ ledger, organisation, random, running, send }) => {
    const name = `${markOf(organisation.name)}-${kind}-${number}`
    const id = `${organisation.name} ${name}`
    ledger.pushes.set(id, 0)
    const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' }
    while (running()) {
      const done = ledger.pushes.get(id)!
      const body = Buffer.from(encodeRequest(nth(kind, name, done)))
      const { status } = await send('/api/v1/write', { method: 'POST', key: organisation.key, headers, body })
      const isKept = ledger.answered('push', status, 204)
      if (isKept && random.chance(0.9)) ledger.pushes.set(id, done + 1)
      await delay(pauseMs)
    }
  }

function nth(kind: 'cluster' | 'machine', name: string, n: number) {
  const [cpu, memory, labels] =
    kind === 'cluster'
      ? [
          'container_cpu_usage_seconds_total',
          'container_memory_working_set_bytes',
          { namespace: 'shop', pod: name, container: 'app' },
        ]
      : [
          'cheapside_process_cpu_seconds_total',
          'cheapside_process_memory_bytes',
          { vm: name, process: 'app', group: 'system', cgroup: '/system.slice/app.service' },
        ]
  const timeMs = startMs + n * stepMs
  return [
    seriesOf(cpu, labels, [{ timeMs, value: n }]),
    seriesOf(memory, labels, [{ timeMs, value: 1_000 + n }]),
  ]
}
