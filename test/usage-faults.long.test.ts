import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type OwnTestPostgres, startOwnPostgres } from './peers/postgres.ts'
import { testWith } from './peers/test-with.ts'
import { ask, basicEnv, eventually } from './service.ts'
import { push, series, usageOf, withStoreOf } from './usage-cluster.ts'
import { checkDigests, key, killDuringStream, Stream, scratch, start } from './usage-faults.case.ts'

let postgres: OwnTestPostgres | undefined
afterAll(() => postgres?.stop())

killDuringStream(20)

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

testWith('util-linux')(
  'a full disk: 503, and recovery when there is space again',
  async () => {
    const directory = mkdtempSync(join(scratch, 'full-'))
    const launcher = join(import.meta.dirname, '../bin/cheapside.js')
    // No file may grow beyond 3 MiB (in blocks of 512 bytes), which looks like a full disk to the database.
    const child = spawn(
      'sh',
      [
        '-c',
        `trap '' XFSZ; ulimit -S -f 6144; exec "$0" "$@"`,
        process.execPath,
        launcher,
        'serve',
        '--json',
      ],
      {
        env: {
          ...basicEnv,
          CHEAPSIDE_LISTEN: '127.0.0.1:0',
          CHEAPSIDE_DATA: directory,
          CHEAPSIDE_BOOTSTRAP_KEY: key,
          CHEAPSIDE_REFRESH_HOURS: '0',
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
  },
  120_000,
)
