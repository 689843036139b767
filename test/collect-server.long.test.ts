import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { encodeRequest, type SeriesToWrite } from '../src/ingest/remote-write/encode.case.ts'
import type { Peer } from './peers/peer-process.ts'
import { startPrometheus } from './peers/prometheus.ts'
import { testWith } from './peers/test-with.ts'
import { eventually, type RunningService, runCommand, startService } from './service.ts'
import { bitsOf, hourMs, series, usageOf, withStoreOf } from './usage-cluster.ts'

const test = testWith('prometheus')

// Collects a history of days, older than what may be pushed, from a real Prometheus into a real service, by the command
// line.

const scratch = mkdtempSync(join(tmpdir(), 'cheapside-collect-server-'))
const launcher = join(import.meta.dirname, '../bin/cheapside.js')
const days = 4
let prometheus: Peer
let service: RunningService
let expected: string[]

beforeAll(async () => {
  prometheus = await startPrometheus()
  const untilMs = Date.now() - 120_000
  const fromMs = untilMs - days * 24 * hourMs
  for (let timeMs = fromMs; timeMs < untilMs; timeMs += 10 * 60_000) {
    const { status } = await fetch(`${prometheus.url}/api/v1/write`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' },
      body: Buffer.from(encodeRequest(clusterAt(timeMs, fromMs))),
    })
    expect(status).toBe(204)
  }
  service = await startService()
  const directory = join(scratch, 'local')
  expect((await runCommand([...words(), '--data', directory])).code).toBe(0)
  expected = await withStoreOf({ directory }, (store) => bitsOf(store))
})
afterAll(async () => {
  await Promise.all([prometheus?.stop(), service?.stop()])
  rmSync(scratch, { recursive: true, force: true })
})

/** Two pods; the container of the second is replaced half way, and cAdvisor reports both for a while. */
function clusterAt(timeMs: number, fromMs: number): SeriesToWrite[] {
  const minutes = Math.floor((timeMs - fromMs) / 60_000)
  const halfMinutes = days * 12 * 60
  const container = (pod: string, id: string, cores: number, mib: number) => {
    const at = { namespace: 'shop', pod, container: 'app', id }
    return [
      series('container_cpu_usage_seconds_total', at, { timeMs, value: minutes * 60 * cores }),
      series('container_memory_working_set_bytes', at, { timeMs, value: mib * 2 ** 20 }),
    ]
  }
  return [
    ...container('web-1', '/a', 0.5, 100 + (minutes % 700)),
    ...(minutes < halfMinutes + 60 ? container('web-2', '/b', 0.25, 300) : []),
    ...(minutes >= halfMinutes ? container('web-2', '/c', 0.75, 200) : []),
    series('kube_pod_info', { namespace: 'shop', pod: 'web-1', node: 'n1' }, { timeMs, value: 1 }),
    series('up', { job: 'other' }, { timeMs, value: 1 }),
  ]
}

const words = () => ['collect', '--from', prometheus.url, '--cluster', 'east', '--days', String(days + 1)]
const onServer = (key = service.key) => ({
  CHEAPSIDE_SERVER: service.url,
  CHEAPSIDE_KEY: key,
  CHEAPSIDE_DATA: join(scratch, 'never-made'),
})
const issueKey = async (organisation: string, scopes: string[]): Promise<string> =>
  (await service.request('/admin/keys', { body: { organisation, name: 'collector', scopes } })).json.key

test('gives the same digests as a collection into the database, and resumes where it ended', async () => {
  const first = await runCommand(words(), onServer())
  expect(first).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Collected \d+ samples of 2 containers and processes into http:/),
  })
  expect(first.err).toMatch(/^100% /m)
  expect(await withStoreOf(service, (store) => bitsOf(store))).toEqual(expected)
  const usage = await withStoreOf(service, (store) => usageOf(store))
  expect(usage.get('east/shop/web-1/app')!.memory.count).toBe(days * 24 * 6)
  const again = await runCommand([...words(), '--json'], onServer())
  expect(JSON.parse(again.out)).toMatchObject({ fraction: 1, subjects: 2 })
  expect(JSON.parse(again.out).samples).toBeLessThan(20)
  expect(await withStoreOf(service, (store) => bitsOf(store))).toEqual(expected)
  expect(existsSync(join(scratch, 'never-made'))).toBe(false)
})

test('a killed collection resumes where it stopped, as reported by the service', async () => {
  const key = await issueKey('acme', ['usage:write', 'gateway:read'])
  const child = spawn(process.execPath, [launcher, ...words()], {
    env: { PATH: process.env.PATH, ...onServer(key) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  await eventually(async () => / [3-9]\d% /.test(said) || child.exitCode !== null)
  child.kill('SIGKILL')
  if (child.exitCode === null) await once(child, 'exit')
  expect((await runCommand(words(), onServer(key))).code).toBe(0)
  expect(await withStoreOf(service, (store) => bitsOf(store, 'acme'))).toEqual(expected)
})

test('collections with different matchers each have their whole history', async () => {
  const key = await issueKey('matching', ['usage:write'])
  for (const pod of ['web-1', 'web-2'])
    expect((await runCommand([...words(), '--match', `pod="${pod}"`], onServer(key))).code).toBe(0)
  expect(await withStoreOf(service, (store) => bitsOf(store, 'matching'))).toHaveLength(expected.length)
})

test('invalid arguments are reported in one line', async () => {
  const reader = await issueKey('acme', ['gateway:read'])
  const failing: [string[], string, number, RegExp][] = [
    [[...words(), '--organisation', 'acme'], service.key, 2, /--organisation cannot be used with a service/],
    [words(), reader, 1, /scope/],
    [['collect', '--from', 'http://127.0.0.1:1', '--cluster', 'x', '--days', '0'], service.key, 2, /--days/],
  ]
  for (const [call, key, code, line] of failing) {
    const answer = await runCommand(call, onServer(key))
    expect([answer.code, answer.err.trim()]).toEqual([code, expect.stringMatching(line)])
    expect(answer.err.trim().split('\n')).toHaveLength(1)
  }
  const send = (query: string, body: Uint8Array = Uint8Array.of(0)) =>
    service.request(`/v1/collected_usage?${query}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' },
    })
  expect((await send('cluster=east&engine=other')).json).toMatchObject({ samples: 0, done_until: null })
  expect((await send(`cluster=${'%F4%8F%BF%BF'.repeat(200)}&engine=${'e'.repeat(200)}`)).status).toBe(200)
  expect((await send('cluster=east&engine=other&until=tomorrow')).status).toBe(422)
  expect((await send('cluster=east&engine=other&until=2999-01-01T00:00:00Z')).status).toBe(400)
  expect((await send('cluster=east&engine=a%20b')).status).toBe(422)
  expect((await send('cluster=east&engine=other&until=2026-01-01T00:00:00Z', Buffer.from('no'))).status).toBe(
    400,
  )
})
