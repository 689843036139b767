import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { encodeRequest } from '../src/ingest/remote-write/encode.case.ts'
import { hourMs, seriesOf } from './pushed-cluster.ts'
import { ask, eventually, smallCatalogue, startService } from './service.ts'

const [requests, perRequest] = [20, 100]
const end = Math.floor(Date.now() / hourMs) * hourMs

/** Samples of a process for an hour, one every five minutes. */
function processSeries(process: string) {
  const labels = { vm: 'large', process, group: 'system', cgroup: `/system.slice/${process}` }
  const samples = (read: (step: number) => number) =>
    Array.from({ length: 12 }, (_, step) => ({ timeMs: end - hourMs + step * 300_000, value: read(step) }))
  return [
    seriesOf(
      'cheapside_process_cpu_seconds_total',
      labels,
      samples((step) => step * 30),
    ),
    seriesOf(
      'cheapside_process_memory_bytes',
      labels,
      samples(() => 2 ** 28),
    ),
  ]
}

test('after kill -9, the first answer contains every acknowledged process', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cheapside-restart-'))
  const env = { CHEAPSIDE_RATE_LIMIT: '0', CHEAPSIDE_CATALOGUE: smallCatalogue }
  try {
    const before = await startService({ directory, env })
    await Promise.all(
      Array.from({ length: requests }, async (_, request) => {
        const names = Array.from({ length: perRequest }, (_, index) => `p${request}-${index}`)
        const answer = await before.request('/api/v1/write', {
          method: 'POST',
          headers: { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' },
          body: encodeRequest(names.flatMap(processSeries)),
        })
        expect(answer.status, answer.text).toBe(204)
      }),
    )
    await before.kill()
    const after = await startService({ directory, env, withoutKey: true })
    try {
      const path = `/v1/vm_recommendations?limit=5000&start_date=${new Date(end - hourMs).toISOString()}`
      const first = await eventually(async () => {
        const answer = await ask(after.url, path, { key: before.key })
        if (answer.status !== 503) return answer
        expect(['loading', 'starting', 'store-unavailable']).toContain(answer.json.code)
        expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
        return undefined
      })
      expect([first.status, first.json.length]).toEqual([200, requests * perRequest])
    } finally {
      await after.stop()
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
