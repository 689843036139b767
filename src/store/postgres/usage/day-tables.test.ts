import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { query, startPostgres, type TestPostgres } from '../../../../test/peers/postgres.ts'
import { subjectKey } from '../../../domain/subject.ts'
import { placeHash, shardCount, shardOf } from '../../../usage/shard.ts'
import { oddNames } from '../../contract/examples.case.ts'
import {
  checkpoint,
  container,
  day,
  digest,
  hour,
  push,
  read,
  row,
} from '../../contract/usage-examples.case.ts'
import type { Store } from '../../port.ts'
import { isStorable } from '../../storable.ts'
import { openDatabase } from '../database.ts'
import { migrate } from '../migrations.ts'
import { openPostgresStore } from '../store.ts'
import { shardFunction } from './tables.ts'

let server: TestPostgres
const opened: Store[] = []
beforeAll(async () => {
  server = await startPostgres()
})
afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())))
afterAll(() => server.stop())

async function open(url: string): Promise<Store> {
  const store = await openPostgresStore({ url })
  opened.push(store)
  return store
}

const tables = async (url: string) =>
  (
    await query(
      url,
      `SELECT relname FROM pg_class WHERE relname LIKE 'usage_digests_day_%' AND relkind = 'r'`,
    )
  )
    .map(({ relname }) => Number(/\d+$/.exec(relname)![0]) - day)
    .sort((a, b) => a - b)

async function withDays(url: string, ...days: number[]): Promise<Store> {
  const store = await open(url)
  const { epoch } = await store.usage.open(push)
  const digests = days.map((n) => digest(hour + 24 * n, n + 1, n))
  await store.usage.commit(push, epoch, checkpoint({ subjects: [row(container('a'), digests)] }))
  return store
}

test('a day has a table before it begins, and none after its retention', async () => {
  const url = await server.createDatabase()
  const store = await withDays(url, 0, 1, 5)
  expect(await tables(url)).toEqual([0, 1, 5, 6])
  expect(await store.usage.dropDays(hour + 24 * 2)).toBe(2)
  expect(await tables(url)).toEqual([5, 6])
  expect(await read(store)).toEqual(['one/shop/a push:5'])
})

test('several nodes may create the table of a day concurrently, also one that another dropped', async () => {
  const url = await server.createDatabase()
  const [one, two] = [await withDays(url, 0), await open(url)]
  const sources = Array.from({ length: 6 }, (_, n) => ({ ...push, source: `collect/${n}` }))
  const write = async (to: number) =>
    Promise.all(
      sources.map(async (partition, n) => {
        const { usage } = n % 2 === 0 ? one : two
        const { epoch } = await usage.open(partition)
        const digests = [digest(hour + 24 * to, 1, n)]
        await usage.commit(partition, epoch, checkpoint({ subjects: [row(container('b'), digests)] }))
      }),
    )
  await write(3)
  await two.usage.dropDays(hour + 24 * 9)
  expect(await tables(url)).toEqual([])
  await write(3)
  expect(await tables(url)).toEqual([3, 4])
  const [line] = await read(one)
  expect(line!.split(' ').slice(1).toSorted()).toEqual(sources.map(({ source }, n) => `${source}:${n}`))
})

test('a table that is being read is dropped later', async () => {
  const url = await server.createDatabase()
  const store = await withDays(url, 0, 1)
  const reader = openDatabase({ url })
  await reader.inTransaction(async (client) => {
    await client.query('SELECT count(*) FROM usage_digests')
    expect(await store.usage.dropDays(hour + 24 * 9)).toBe(0)
  })
  await reader.close()
  expect(await store.usage.dropDays(hour + 24 * 9)).toBe(3)
})

const shardOfKey = (organisation: string, key: string): number => {
  const [kind, first = '', second = '', third = ''] = key.split('\0')
  const own = placeHash('organisation', organisation)
  if (kind === 'p') return shardOf(own, placeHash('machine', first))
  if (kind === 'machine') return shardOf(own, placeHash('machine', third))
  return shardOf(own, placeHash('cluster', first), placeHash('namespace', second))
}

test('PostgreSQL computes the same shard', async () => {
  const url = await server.createDatabase()
  await query(url, shardFunction)
  const names = oddNames.filter((name) => isStorable(name))
  const keys = names.flatMap((name) => [
    container('p', name),
    container(name, 'shop', name),
    subjectKey({ kind: 'process', vm: name, group: 'g', process: name, cgroup: '' }),
    `machine\0\0\0${name}`,
    `replica-set\0${name}\0${name}\0x`,
  ])
  const database = openDatabase({ url })
  const rows = await database.rows<{ shard: number }>(
    'SELECT usage_shard($1, key) AS shard FROM unnest($2::bytea[]) WITH ORDINALITY AS sent (key, place) ORDER BY place',
    ['Ümläut', keys.map((key) => Buffer.from(key))],
  )
  await database.close()
  expect(rows.map(({ shard }) => shard)).toEqual(keys.map((key) => shardOfKey('Ümläut', key)))
})

/** Rows as version 0.2.0 wrote them. */
const before = `
  INSERT INTO organisations (id, created_at) VALUES ('acme', 0);
  INSERT INTO usage_partitions (organisation, source, epoch, resume) VALUES ('acme', 'push', 7, 'here'), ('acme', 'collect/x', 1, '');
  INSERT INTO usage_journal (partition, received_at, format, cluster, body) VALUES (1, 5, 'remote-write-1', 'c', '\\x0102'), (2, 6, 'remote-write-2', '', '\\x03');
  INSERT INTO usage_subjects (organisation, key) SELECT 'acme', convert_to('c|one|ns' || n % 20 || '|p' || n || '|app', 'UTF8') FROM generate_series(1, 50) AS n;
  UPDATE usage_subjects SET key = decode(replace(encode(key, 'hex'), '7c', '00'), 'hex');
  INSERT INTO usage_states SELECT 1, id, '\\x09' FROM usage_subjects;
  INSERT INTO usage_digests (subject, hour, partition, epoch, part, bytes)
    SELECT s.id, ${hour} + 24 * d, 1, 0, 0, decode(lpad(to_hex(d), 2, '0'), 'hex') FROM usage_subjects s, generate_series(0, 9) AS d
    UNION ALL SELECT s.id, ${hour} + 240 + h, 1, 7, h, decode(repeat('ab', 5000), 'hex') FROM usage_subjects s, generate_series(0, 3) AS h;
  INSERT INTO usage_entities VALUES (1, '\\x6e6f6465006f6e65000000', 'node', 'one', ${hour}, '{}');`

test('migrating an older database loses no day, and reports each step', async () => {
  const url = await server.createDatabase()
  const database = openDatabase({ url })
  const steps: string[] = []
  const onMigration = (to: number, latest: number) => void steps.push(`${to} of ${latest}`)
  await migrate(database, 6, onMigration)
  expect(steps).toEqual([])
  await database.close()
  await query(url, before)
  const sums = (sql: string) =>
    query(url, `SELECT count(*), md5(string_agg(row::text, ',' ORDER BY row::text)) FROM (${sql}) AS row`)
  const rows = 'SELECT subject, hour, partition::bigint, epoch, part, bytes FROM usage_digests'
  const kept = await sums(rows)
  const store = await openPostgresStore({ url }, { onMigration })
  opened.push(store)
  const latest = steps.length + 6
  expect(steps.slice(0, 2)).toEqual([`7 of ${latest}`, `8 of ${latest}`])
  expect(await sums(rows)).toEqual(kept)
  expect(await tables(url)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  const { epoch, resume, subjects, entities } = await store.usage.open(push)
  expect([epoch, resume, subjects, entities]).toEqual([8, 'here', [], []])
  let [states, facts] = [0, 0]
  for (let shard = 1; shard <= shardCount; shard++) {
    const moved = await store.usage.open({ ...push, shard })
    states += moved.subjects.length
    facts += moved.entities.length
    for (const { key } of moved.subjects) expect(shardOfKey('acme', key)).toBe(shard)
  }
  expect([states, facts]).toEqual([50, 1])
  expect((await store.usage.journal(push, 0, 1e9)).map(({ body }) => [...body])).toEqual([[1, 2]])
  expect((await read(store))[0]).toMatch(/^one\/ns0\/p20 push:0 push:1 .* push:9 push:171\.171/)
  await store.usage.append([{ ...(await store.usage.journal(push, 0, 1))[0]!, body: Uint8Array.of(4) }])
  const [first, second] = await store.usage.journal(push, 0, 1e9)
  expect(second!.sequence).toBeGreaterThan(first!.sequence)
})

test('every table of usage can be distributed by its shard, and the guide names each', async () => {
  const url = await server.createDatabase()
  await open(url)
  const sharded = await query<{ name: string; unfit: string[] }>(
    url,
    `SELECT t.relname AS name, array_remove(array_agg(u.indexrelid::regclass::text), NULL) AS unfit
     FROM pg_class t
     JOIN pg_attribute s ON s.attrelid = t.oid AND s.attname = 'shard'
     LEFT JOIN pg_index u ON u.indrelid = t.oid AND u.indisunique AND NOT s.attnum = ANY (u.indkey::smallint[])
     WHERE t.relkind IN ('r', 'p') AND NOT t.relispartition
     GROUP BY t.relname ORDER BY t.relname`,
  )
  expect(sharded.filter(({ unfit }) => unfit.length > 0)).toEqual([])
  const guide = readFileSync(new URL('../../../../docs/operations/scale.md', import.meta.url), 'utf8')
  const named = [...guide.matchAll(/create_distributed_table\('(\w+)', 'shard'/g)].map(([, name]) => name)
  expect(named.toSorted()).toEqual(sharded.map(({ name }) => name))
})
