import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type OwnTestPostgres, startOwnPostgres } from './peers/postgres.ts'
import { ask, eventually, type RunningService, startService } from './service.ts'
import { hourMs, push, series, usageOf, withStoreOf } from './usage-cluster.ts'

const scratch = mkdtempSync(join(tmpdir(), 'cheapside-usage-faults-'))
const running: RunningService[] = []
let postgres: OwnTestPostgres | undefined
afterEach(() => Promise.all(running.splice(0).map((service) => service.kill())))
afterAll(async () => {
  await postgres?.stop()
  rmSync(scratch, { recursive: true, force: true })
})

const key = `csk_bootstrap001_${'s'.repeat(32)}`
async function start(env: Record<string, string>, directory?: string): Promise<RunningService> {
  const service = await startService({
    withoutKey: true,
    env: {
      CHEAPSIDE_BOOTSTRAP_KEY: key,
      CHEAPSIDE_RATE_LIMIT: '0',
      CHEAPSIDE_ADDRESS_LIMIT: '0',
      // Prices do not matter here, and a small catalogue loads faster.
      CHEAPSIDE_CATALOGUE: join(import.meta.dirname, '../catalogue/more.catalogue'),
      ...env,
    },
    ...(directory === undefined ? {} : { directory }),
  })
  running.push(service)
  await eventually(async () => (await ask(service.url, '/readyz')).status === 200)
  return service
}

const writers = 6
const startMs = Date.now() - 20 * hourMs

/** The n-th request of a writer. Each adds exactly one second of CPU time and one sample of memory. */
function nth(writer: number, n: number) {
  const labels = { namespace: `shop${writer}`, pod: `w${writer}`, container: 'app' }
  const timeMs = startMs + n * 2000
  return [
    series('container_cpu_usage_seconds_total', labels, { timeMs, value: n }),
    series('container_memory_working_set_bytes', labels, { timeMs, value: 1000 + n }),
  ]
}

/** Writers that send each request until it is acknowledged, and sometimes once more, as real senders do. */
class Stream {
  readonly acknowledged = Array<number>(writers).fill(0)
  readonly refusals = new Set<number>()
  targets: readonly RunningService[]
  #stopped = false
  readonly #writing: Promise<unknown>

  constructor(...targets: RunningService[]) {
    this.targets = targets
    this.#writing = Promise.all(this.acknowledged.map((_, writer) => this.#write(writer)))
  }

  async #write(writer: number): Promise<void> {
    for (let turn = writer; !this.#stopped; turn++) {
      const n = this.acknowledged[writer]!
      const { url } = this.targets[turn % this.targets.length]!
      const status = await push({ url, key }, nth(writer, n)).then(
        (answer) => answer.status,
        () => 0,
      )
      if (status === 204 && turn % 7 !== 0) this.acknowledged[writer] = n + 1
      if (status !== 204) {
        this.refusals.add(status)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  }

  get total(): number {
    return this.acknowledged.reduce((sum, count) => sum + count, 0)
  }

  async grow(by: number): Promise<void> {
    const before = this.total
    await eventually(async () => this.total >= before + by)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#writing
  }
}

/**
 * Checks that every acknowledged sample is in the digests once. One more sample of each writer may be there that was not
 * acknowledged.
 */
async function checkDigests(stream: Stream, at: Parameters<typeof withStoreOf>[0]): Promise<void> {
  await withStoreOf(at, async (store) => {
    await eventually(async () => (await store.usage.partitions()).every(({ pending }) => !pending))
    const usage = await usageOf(store)
    for (const [writer, count] of stream.acknowledged.entries()) {
      const { memory, cpu } = usage.get(`default/shop${writer}/w${writer}/app`)!
      expect([count, count + 1]).toContain(memory.count)
      const sum = (memory.count * (1000 + 1000 + memory.count - 1)) / 2
      expect([memory.sum, cpu.sum].map(Number)).toEqual([sum, (memory.count - 1) * 1e6])
    }
  })
}

test('kill -9 during a stream, twenty rounds: every acknowledged sample is digested once', async () => {
  const directory = mkdtempSync(join(scratch, 'data-'))
  let service = await start({}, directory)
  const stream = new Stream(service)
  for (let round = 0; round < 20; round++) {
    await stream.grow(10 + ((37 * round) % 60))
    await service.kill()
    service = await start({}, directory)
    stream.targets = [service]
  }
  await stream.grow(20)
  await stream.stop()
  await checkDigests(stream, { directory })
}, 600_000)

test('PostgreSQL restarted and killed during a stream to two nodes: nothing is lost or counted twice', async () => {
  postgres = await startOwnPostgres()
  const databaseUrl = await postgres.createDatabase()
  const env = { DATABASE_URL: databaseUrl, CHEAPSIDE_KEY_TRUST_SECONDS: '60' }
  const nodes = await Promise.all([start(env), start(env)])
  const stream = new Stream(...nodes)
  await stream.grow(40)
  await postgres.restart()
  await stream.grow(40)
  await postgres.stopHard()
  await eventually(async () => stream.refusals.has(503))
  await postgres.start()
  await stream.grow(40)
  await nodes[0]!.kill()
  stream.targets = [nodes[1]!]
  await stream.grow(20)
  await stream.stop()
  await checkDigests(stream, { databaseUrl })
  expect([...stream.refusals].filter((status) => ![0, 503].includes(status))).toEqual([])
}, 300_000)

test('nodes end and start during a stream: each shard is digested by one live node, nothing is lost or counted twice', async () => {
  postgres ??= await startOwnPostgres()
  const databaseUrl = await postgres.createDatabase()
  const env = { DATABASE_URL: databaseUrl, CHEAPSIDE_KEY_TRUST_SECONDS: '60' }
  const nodes = await Promise.all([start(env), start(env), start(env)])
  const stream = new Stream(...nodes)
  const digesting = async () =>
    (await Promise.all(nodes.map(({ url }) => ask(url, '/metrics')))).filter(({ text }) =>
      /^cheapside_usage_shards [1-9]/m.test(text),
    ).length
  await stream.grow(40)
  await eventually(async () => (await digesting()) > 1)
  for (let round = 0; round < 2; round++) {
    const [gone] = nodes.splice(round, 1)
    stream.targets = [...nodes]
    await gone!.kill()
    await stream.grow(30)
    await eventually(async () => (await digesting()) > 0)
    nodes.push(await start(env))
    stream.targets = [...nodes]
    await stream.grow(30)
  }
  await eventually(async () => (await digesting()) > 1)
  await stream.stop()
  await checkDigests(stream, { databaseUrl })
  expect([...stream.refusals].filter((status) => ![0, 503].includes(status))).toEqual([])
}, 1_200_000)

test('a full disk: 503, and recovery when there is space again', async () => {
  const directory = mkdtempSync(join(scratch, 'full-'))
  const launcher = join(import.meta.dirname, '../bin/cheapside.js')
  // No file may grow beyond 3 MiB (in blocks of 512 bytes), which looks like a full disk to the database.
  const child = spawn(
    'sh',
    ['-c', `trap '' XFSZ; ulimit -S -f 6144; exec "$0" "$@"`, process.execPath, launcher, 'serve', '--json'],
    {
      env: {
        PATH: process.env.PATH,
        CHEAPSIDE_LISTEN: '127.0.0.1:0',
        CHEAPSIDE_DATA: directory,
        CHEAPSIDE_BOOTSTRAP_KEY: key,
        CHEAPSIDE_RATE_LIMIT: '0',
        CHEAPSIDE_LOG_LEVEL: 'fatal',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  try {
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    const url = await eventually(async () => /"url":"([^"]+)"/.exec(out)?.[1])
    await eventually(async () => (await ask(url, '/readyz')).status === 200)
    let acknowledged = 0
    const send = (timeMs: number) => {
      const pods = Array.from({ length: 300 }, () => {
        const labels = { namespace: 'shop', pod: crypto.randomUUID(), container: 'app' }
        const image = randomBytes(1000).toString('base64')
        return series('container_memory_working_set_bytes', { ...labels, image }, { timeMs, value: 1e9 })
      })
      return push({ url, key }, pods)
    }
    const refused = await eventually(async () => {
      const answer = await send(Date.now())
      if (answer.status === 204) acknowledged++
      return answer.status !== 204 && answer
    })
    expect([refused.status, refused.json.code]).toEqual([503, 'store-unavailable'])
    expect(refused.json.detail).toContain('accepts no writes')
    expect(refused.headers.get('retry-after')).toBe('1')
    expect((await ask(url, '/healthz')).status).toBe(200)
    execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited'])
    await eventually(async () => (await send(Date.now())).status === 204)
    await withStoreOf({ directory }, async (store) => {
      await eventually(async () => (await store.usage.partitions()).every(({ pending }) => !pending))
      expect((await usageOf(store)).size).toBeGreaterThanOrEqual((acknowledged + 1) * 300)
    })
  } finally {
    child.kill('SIGKILL')
  }
}, 120_000)
