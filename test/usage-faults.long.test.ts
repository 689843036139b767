import { afterAll, expect, test } from 'vitest'
import { type OwnTestPostgres, startOwnPostgres } from './peers/postgres.ts'
import { ask, eventually } from './service.ts'
import { checkDigests, killDuringStream, Stream, start } from './usage-faults.case.ts'

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
