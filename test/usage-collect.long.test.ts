import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { AlreadyCollecting, collectUsage } from '../src/ingest/collect-usage.ts'
import { encodeRequest } from '../src/ingest/remote-write/encode.case.ts'
import type { Peer } from './peers/peer-process.ts'
import { type OwnTestPostgres, startOwnPostgres } from './peers/postgres.ts'
import { startPrometheus } from './peers/prometheus.ts'
import { testWith } from './peers/test-with.ts'
import { ask, eventually, runCommand, startService } from './service.ts'
import { bitsOf, hourMs, series, usageOf, withStoreOf } from './usage-cluster.ts'
import { trace } from './usage-trace.ts'

const test = testWith('prometheus')

const scratch = mkdtempSync(join(tmpdir(), 'cheapside-collect-'))
const launcher = join(import.meta.dirname, '../bin/cheapside.js')
const hours = 6
let prometheus: Peer
let gate: Awaited<ReturnType<typeof startGate>>
let postgres: OwnTestPostgres | undefined

beforeAll(async () => {
  prometheus = await startPrometheus()
  const until = Date.now() - 120_000
  for (let timeMs = until - hours * hourMs; timeMs < until; timeMs += 60_000) {
    const minute = Math.floor((timeMs - until + hours * hourMs) / 60_000)
    const body = encodeRequest(
      trace.flatMap(({ millicores, mib }, pod) => {
        const at = { namespace: 'shop', pod: `web-${pod}`, container: 'app' }
        return [
          series('container_cpu_usage_seconds_total', at, { timeMs, value: minute * millicores[0]! * 0.06 }),
          series('container_memory_working_set_bytes', at, { timeMs, value: mib[minute % 48]! * 2 ** 20 }),
        ]
      }),
    )
    const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' }
    const { status } = await fetch(`${prometheus.url}/api/v1/write`, {
      method: 'POST',
      headers,
      body: Buffer.from(body),
    })
    expect(status).toBe(204)
  }
  gate = await startGate(prometheus.url)
})
afterAll(async () => {
  await Promise.all([gate?.stop(), prometheus?.stop(), postgres?.stop()])
  rmSync(scratch, { recursive: true, force: true })
})

const freshDirectory = () => mkdtempSync(join(scratch, 'data-'))
const words = (directory: string, ...more: string[]) => [
  'collect',
  '--from',
  gate.url,
  '--cluster',
  'east',
  '--days',
  '1',
  '--data',
  directory,
  ...more,
]

test('collects with progress; a second run resumes, adds nothing, and sends few queries', async () => {
  const directory = freshDirectory()
  const first = await runCommand(words(directory))
  expect([first.code, first.out]).toEqual([
    0,
    expect.stringMatching(/^Collected \d+ samples of 4 containers/),
  ])
  const percents = first.err.match(/^ *\d+%/gm)!.map((text) => Number.parseInt(text, 10))
  expect(percents.length).toBeGreaterThan(15)
  expect(percents).toEqual(percents.toSorted((a, b) => a - b))
  expect(percents.at(-1)).toBe(100)
  const before = await withStoreOf({ directory }, (store) => bitsOf(store))
  const asked = gate.requests
  const second = await runCommand(words(directory, '--json'))
  expect([second.code, JSON.parse(second.out).fraction]).toEqual([0, 1])
  expect(gate.requests - asked).toBeLessThan(4)
  await withStoreOf({ directory }, async (store) => {
    expect(await bitsOf(store)).toEqual(before)
    const usage = await usageOf(store)
    for (const [pod, { millicores, mib }] of trace.entries()) {
      const { memory, cpu } = usage.get(`east/shop/web-${pod}/app`)!
      expect([memory.count, memory.max]).toEqual([hours * 60, Math.max(...mib) * 2 ** 20])
      expect(Number(cpu.sum) / 1e6).toBeCloseTo((hours * 60 - 1) * millicores[0]! * 0.06, 3)
    }
  })
})

test('a service does not collect what another one is collecting', async () => {
  const directory = freshDirectory()
  const settings = {
    organisation: 'default',
    cluster: 'east',
    url: gate.url,
    days: 1,
    bearerFile: '',
    tenant: '',
    matchers: '',
  }
  gate.holdFrom(gate.requests + 1)
  await withStoreOf({ directory }, async (store) => {
    const stopping = new AbortController()
    const collecting = (holder: string) =>
      collectUsage({ store, holder, now: Date.now, log: () => undefined }, settings, stopping.signal)
    const first = collecting('one')
    await gate.held()
    await expect(collecting('another')).rejects.toThrow(AlreadyCollecting)
    stopping.abort()
    await expect(first).rejects.toThrow()
  })
  gate.release()
})

test('a killed collection resumes where it stopped', async () => {
  const [whole, directory] = [freshDirectory(), freshDirectory()]
  await runCommand(words(whole))
  gate.holdFrom(gate.requests + 22)
  const child = spawn(process.execPath, [launcher, ...words(directory)], { stdio: 'ignore' })
  await gate.held()
  child.kill('SIGKILL')
  await once(child, 'exit')
  gate.release()
  const asked = gate.requests
  expect((await runCommand(words(directory))).code).toBe(0)
  expect(gate.requests - asked).toBeLessThan(8)
  const [expected, found] = await Promise.all(
    [whole, directory].map((at) => withStoreOf({ directory: at }, (store) => bitsOf(store))),
  )
  expect(found).toEqual(expected)
})

test('collections with different matchers each have their whole history, and an hour that both have counts once', async () => {
  const directory = freshDirectory()
  const samples = async () => {
    const usage = await withStoreOf({ directory }, (store) => usageOf(store))
    return [...usage].map(([name, { memory }]) => [name.split('/')[2], memory.count]).sort()
  }
  const all = hours * 60
  expect((await runCommand(words(directory, '--match', 'pod="web-0"'))).code).toBe(0)
  expect(await samples()).toEqual([['web-0', all]])
  expect((await runCommand(words(directory, '--match', 'pod=~"web-[01]"'))).code).toBe(0)
  expect(await samples()).toEqual([
    ['web-0', all],
    ['web-1', all],
  ])
})

test('nodes that share a database share the collecting', async () => {
  postgres = await startOwnPostgres()
  const databaseUrl = await postgres.createDatabase()
  const tokenFile = join(scratch, 'token')
  writeFileSync(tokenFile, 'letmein\n')
  const env = {
    DATABASE_URL: databaseUrl,
    CHEAPSIDE_COLLECT_FROM: `east=${gate.url}`,
    CHEAPSIDE_COLLECT_DAYS: '1',
    CHEAPSIDE_COLLECT_BEARER_FILE: tokenFile,
    CHEAPSIDE_COLLECT_TENANT: 'team-a',
  }
  const asked = gate.requests
  const nodes = await Promise.all([1, 2].map(() => startService({ withoutKey: true, env })))
  try {
    await withStoreOf({ databaseUrl }, async (store) => {
      await eventually(async () => {
        const usage = await usageOf(store)
        return usage.size === 4 && [...usage.values()].every(({ memory }) => memory.count === hours * 60)
      })
      const [partition] = await store.usage.partitions()
      expect(partition!.source).toMatch(/^collect\/east@/)
    })
    // 25 hours of the two parts that have data, the names for all four, and a few queries of the other node afterwards.
    expect(gate.requests - asked).toBeLessThan(110)
    expect([gate.authorization, gate.tenant]).toEqual(['Bearer letmein', 'team-a'])
    for (const { url } of nodes) expect((await ask(url, '/healthz')).status).toBe(200)
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
  }
})

test('invalid arguments are reported in one line', async () => {
  const failing: [string[], number, RegExp][] = [
    [['collect', '--cluster', 'x'], 2, /--from is required/],
    [['collect', '--from', 'prometheus:9090', '--cluster', 'x'], 2, /--from must be/],
    [
      ['collect', '--from', 'http://ops:hunter2@prometheus:9090', '--cluster', 'x'],
      2,
      /must not contain user and password.*--bearer-file/,
    ],
    [[...words(freshDirectory()), '--days', '0'], 2, /--days must be/],
    [[...words(freshDirectory()), '--bearer-file', '/nowhere'], 1, /no such file/],
    [[...words(freshDirectory()), '--match', 'namespace='], 2, /--match must be PromQL matchers/],
    [[...words(freshDirectory()), '--match', 'namespace=~"("'], 1, /HTTP 400/],
  ]
  for (const [call, code, line] of failing) {
    const answer = await runCommand(call)
    expect([answer.code, answer.err.trim()]).toEqual([code, expect.stringMatching(line)])
    expect(answer.err.trim().split('\n')).toHaveLength(1)
  }
})

/** A proxy before the engine that counts requests and can delay one. */
async function startGate(target: string) {
  let holdFrom = Number.POSITIVE_INFINITY
  let held = Promise.withResolvers<void>()
  const seen = { requests: 0, authorization: '', tenant: '' }
  const server = createServer(async (request, response) => {
    seen.requests++
    seen.authorization = request.headers.authorization ?? ''
    seen.tenant = String(request.headers['x-scope-orgid'] ?? '')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (seen.requests >= holdFrom) return held.resolve()
    const answer = await fetch(target + request.url, {
      method: request.method!,
      headers: { 'content-type': request.headers['content-type'] ?? 'text/plain' },
      body: chunks.length === 0 ? null : Buffer.concat(chunks),
    })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return seen.requests
    },
    get authorization() {
      return seen.authorization
    },
    get tenant() {
      return seen.tenant
    },
    holdFrom(request: number) {
      holdFrom = request
      held = Promise.withResolvers<void>()
    },
    held: () => held.promise,
    release() {
      holdFrom = Number.POSITIVE_INFINITY
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
