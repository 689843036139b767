import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { query, startPostgres, type TestPostgres } from '../../../test/peers/postgres.ts'
import type { Partition } from '../../usage/port.ts'
import {
  checkpoint,
  container,
  day,
  digest,
  entity,
  entry,
  hour,
  row,
} from '../contract/usage-examples.case.ts'
import type { Store } from '../port.ts'
import { openPostgresStore } from './store.ts'

// Three days of an organisation with 60,000 containers among 2,000 small ones: frequent queries must not scan whole
// tables.

const acme: Partition = { organisation: 'org7', source: 'push' }
const pods = 60_000

const fill = `
  INSERT INTO organisations (id, created_at) SELECT 'org' || n, 0 FROM generate_series(1, 2000) AS n;
  INSERT INTO usage_partitions (organisation, source, epoch, resume)
    SELECT 'org' || n, source, 1, '' FROM generate_series(1, 2000) AS n, unnest(ARRAY['push', 'collect/x']) AS source;
  CREATE TEMP TABLE big AS SELECT id FROM usage_partitions WHERE organisation = 'org7' AND source = 'push';
  INSERT INTO usage_subjects (organisation, key)
    SELECT 'org7', decode(replace(encode(convert_to('c|one|ns' || n % 600 || '|p' || n || '|app', 'UTF8'), 'hex'), '7c', '00'), 'hex')
    FROM generate_series(1, ${pods}) AS n;
  INSERT INTO usage_states (partition, subject, state) SELECT big.id, s.id, '\\x01' FROM usage_subjects s, big;
  INSERT INTO usage_digests (subject, hour, partition, epoch, part, shard, bytes)
    SELECT s.id, ${hour} + 24 * d, big.id, CASE d WHEN 2 THEN 1 ELSE 0 END, 1, 0, decode(repeat(md5(s.id::text), 20), 'hex')
    FROM usage_subjects s, big, generate_series(0, 2) AS d;
  INSERT INTO usage_days (subject, day, partition, shard, bytes)
    SELECT s.id, ${day} + d, big.id, 0, decode(repeat(md5(s.id::text), 10), 'hex') FROM usage_subjects s, big, generate_series(0, 2) AS d;
  INSERT INTO usage_entities (partition, key, kind, cluster, last_hour, json)
    SELECT p.id, decode(md5(p.id || '/' || n), 'hex'), 'node', 'one', ${hour}, repeat('x', 200)
    FROM usage_partitions p, generate_series(1, 10) AS n;
  INSERT INTO usage_journal (partition, received_at, format, cluster, body)
    SELECT p.id, 5, 'remote-write-1', 'c', decode(repeat('ab', 1500), 'hex') FROM usage_partitions p, generate_series(1, 5);
  INSERT INTO node_loads SELECT 'org' || n, 'one', ${day} + d, 0, '\\x01' FROM generate_series(1, 2000) AS n, generate_series(0, 5) AS d;
  INSERT INTO leases SELECT 'lease' || n, 'x', 0, 1 FROM generate_series(1, 5000) AS n;
  ANALYZE`

let server: TestPostgres
let url: string
let store: Store
beforeAll(async () => {
  server = await startPostgres()
  url = await server.createDatabase()
  store = await openPostgresStore({ url })
  const { epoch } = await store.usage.open({ organisation: 'days', source: 'push' })
  const digests = [0, 1, 2].map((n) => digest(hour + 24 * n, 1, 1))
  await store.usage.commit(
    { organisation: 'days', source: 'push' },
    epoch,
    checkpoint({ subjects: [row(container('a'), digests)] }),
  )
  await query(url, fill)
}, 300_000)
afterAll(async () => {
  await store?.close()
  await server?.stop()
})

const keys = Array.from({ length: 200 }, (_, n) => container(`p${n + 1}`, `ns${(n + 1) % 600}`))
const digests = async (more: object) => {
  for await (const _ of store.usage.digests('org7', {
    kind: 'container',
    fromHour: hour,
    toHour: hour + 72,
    ...more,
  }))
    return
}

const keepSubjects = async (forgotten: readonly string[]) => {
  const epoch = await store.usage.fence(acme)
  const subjects = keys.map((key) => row(key, [digest(hour + 50, 9, 1)]))
  await store.usage.commit(
    acme,
    epoch,
    checkpoint({ subjects, entities: [entity('n')], consumed: [1, 2], forgotten }),
  )
}

const hot: Record<string, () => Promise<unknown>> = {
  'a push': () => store.usage.append([entry([1], { partition: acme })]),
  'reading the journal': () => store.usage.journal(acme, 0, 1e6),
  'a checkpoint': () => keepSubjects(keys.slice(0, 3)),
  'a namespace': () => digests({ cluster: 'one', namespace: 'ns5' }),
  'summaries of a namespace': () => digests({ cluster: 'one', namespace: 'ns5', summariesBefore: hour + 48 }),
  'summaries of a cluster': () => digests({ cluster: 'one', summariesBefore: hour + 48 }),
  'a page of a cluster': () => digests({ cluster: 'one' }),
  'a page after another': () => digests({ after: container('p1', 'ns300') }),
  'named containers': () => digests({ keys }),
  'nodes of an organisation': () => store.usage.entities('org9', { kinds: ['node'] }),
  'loads of nodes': () => store.usage.nodeLoads('org7', 'one', { from: day, to: day + 3 }),
  'closing a day': async () => {
    const loose = await store.usage.loose(acme, hour + 72, 200)
    expect(loose).toHaveLength(200)
    const epoch = await store.usage.fence(acme)
    await store.usage.compact(
      acme,
      epoch,
      loose.map(({ key }) => ({ key, day: day + 2, bytes: Uint8Array.of(1), summary: Uint8Array.of(1) })),
    )
  },
  leases: () => store.leases.acquireAll(['lease8', 'lease9'], 'y', 1000),
}

describe('no sequential scan for', () => {
  test.each(Object.keys(hot))('%s', async (name) => {
    const nodes = await planned(hot[name]!)
    expect(nodes.length).toBeGreaterThan(0)
    expect(nodes.filter(({ type }) => type === 'Seq Scan')).toEqual([])
  })
})

// If the statistics do not contain an organisation yet, a join is planned as if it had one row, and takes minutes.
test.each(['a checkpoint without what is forgotten', 'closing a day'])(
  '%s writes without a join',
  async (name) => {
    const work = hot[name] ?? (() => keepSubjects([]))
    const writes = (await planned(work)).filter(({ text }) => !text.trimStart().startsWith('SELECT'))
    expect(writes.length).toBeGreaterThan(0)
    expect(writes.filter(({ type }) => /Join|Nested Loop/.test(type))).toEqual([])
  },
)

interface PlannedNode {
  readonly type: string
  readonly relation: string
  /** The statement to which the plan node belongs. */
  readonly text: string
}

/** Returns the plan nodes of all statements that the work sends. */
async function planned(work: () => Promise<unknown>): Promise<PlannedNode[]> {
  const statements = await recorded(work)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const nodes: PlannedNode[] = []
  for (const { text, values } of statements) {
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, values)
    for (const node of nodesOf(rows[0]['QUERY PLAN'][0].Plan))
      nodes.push({ type: node['Node Type'], relation: node['Relation Name'] ?? '', text })
  }
  await client.end()
  return nodes
}

/** Returns the statements that the work sends, except those that begin and end transactions. */
async function recorded(work: () => Promise<unknown>): Promise<{ text: string; values: unknown[] }[]> {
  const statements: { text: string; values: unknown[] }[] = []
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    for (const [text, values] of query.mock.calls as unknown as [unknown, unknown][])
      if (typeof text === 'string' && /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)/.test(text))
        statements.push({ text, values: Array.isArray(values) ? values : [] })
  } finally {
    query.mockRestore()
  }
  return statements
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
