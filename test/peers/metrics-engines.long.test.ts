import { afterAll, beforeAll, expect } from 'vitest'
import { encodeRequest } from '../../src/ingest/remote-write/encode.case.ts'
import type { Peer } from './peer-process.ts'
import { startPrometheus } from './prometheus.ts'
import { testWith } from './test-with.ts'
import { startVictoriaMetrics } from './victoria-metrics.ts'

const test = testWith('prometheus', 'victoria-metrics')

let peers: Peer[] = []
beforeAll(async () => {
  peers = await Promise.all([startPrometheus(), startVictoriaMetrics()])
})
afterAll(() => Promise.all(peers.map((peer) => peer.stop())))

test('real receivers accept our requests and return the same samples', async () => {
  const timeMs = Date.now() - 60_000
  const labels = [
    ['__name__', 'cheapside_process_memory_bytes'],
    ['process', 'grüße'],
    ['vm', 'web-1'],
  ] as const
  const body = encodeRequest([{ labels, samples: [{ timeMs, value: 12_345.678 }] }])
  for (const { url } of peers) {
    const written = await fetch(`${url}/api/v1/write`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' },
      body: Buffer.from(body),
    })
    expect(written.status).toBe(204)
    if (url === peers[1]!.url) await fetch(`${url}/internal/force_flush`)
    const query = new URLSearchParams({ query: `${labels[0][1]}[5m]`, time: String(timeMs / 1000 + 1) })
    const { data } = (await (await fetch(`${url}/api/v1/query?${query}`)).json()) as {
      data: { result: { metric: Record<string, string>; values: [number, string][] }[] }
    }
    expect(data.result).toEqual([
      { metric: Object.fromEntries(labels), values: [[timeMs / 1000, '12345.678']] },
    ])
  }
})
