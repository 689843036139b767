import { afterAll, beforeAll, expect, vi } from 'vitest'
import { query, startPostgresWithReplica } from '../../../test/peers/postgres.ts'
import { testWith } from '../../../test/peers/test-with.ts'
import { checkpoint, container, digest, hour, push, read, row } from '../contract/usage-examples.case.ts'
import { type Store, StoreUnavailable } from '../port.ts'
import { openDatabase } from './database.ts'
import { readFromReplica } from './replica.ts'
import { openPostgresStore } from './store.ts'

const test = testWith('postgresql-15')

let servers: Awaited<ReturnType<typeof startPostgresWithReplica>>
beforeAll(async () => {
  servers = await startPostgresWithReplica()
})
afterAll(async () => {
  await servers?.replica.remove()
  await servers?.primary.stop()
})

const onReplica = (url: string): string => {
  const there = new URL(url)
  there.port = new URL(servers.replica.url).port
  return there.href
}
const patience = { timeout: 120_000, interval: 100 }
const waitFor = (check: () => Promise<void>) => vi.waitFor(check, patience)

/** Returns a function that reports whether the primary or the replica answered a query. */
async function reading(url: string, replicaUrl = onReplica(url)) {
  const [primary, replica] = [openDatabase({ url }), openDatabase({ url: replicaUrl })]
  const errors = new Set<string>()
  const onError = ({ message }: Error) => void errors.add(message)
  const db = readFromReplica(primary, replica, { checkIntervalMs: 20, maxBehindMs: 1000, onError })
  const placeOf = async (one: Pick<typeof db, 'rows'>) => {
    const [row] = await one.rows<{ there: boolean }>('SELECT pg_is_in_recovery() AS there')
    return row!.there ? 'replica' : 'primary'
  }
  return {
    errors,
    place: () => placeOf(db),
    databaseName: async () => (await db.rows<{ name: string }>('SELECT current_database() AS name'))[0]!.name,
    pinned: () => {
      const one = db.pinned()
      return () => placeOf(one)
    },
    close: async () => {
      await db.close()
      await primary.close()
    },
  }
}

test('reads go to the replica while it keeps up, otherwise to the primary', async () => {
  const url = await servers.primary.createDatabase()
  const db = await reading(url)
  const is = (expected: string) => waitFor(async () => expect(await db.place()).toBe(expected))
  await is('replica')
  await query(onReplica(url), 'SELECT pg_wal_replay_pause()')
  const written = setInterval(
    () => void query(url, 'SELECT pg_logical_emit_message(false, $$x$$, $$y$$)').catch(() => undefined),
    100,
  )
  try {
    await is('primary')
    const pinned = db.pinned()
    expect(await pinned()).toBe('primary')
    await query(onReplica(url), 'SELECT pg_wal_replay_resume()')
    await is('replica')
    expect(await pinned()).toBe('primary')
    await servers.replica.stopHard()
    expect(await db.place()).toBe('primary')
    await is('primary')
    await servers.replica.start()
    await is('replica')
  } finally {
    clearInterval(written)
    await db.close()
  }
})

test('a store reads usage from its replica and writes to its primary', async () => {
  const url = await servers.primary.createDatabase()
  const store: Store = await openPostgresStore({ url, readUrl: onReplica(url) })
  const { epoch } = await store.usage.open(push)
  const subjects = [row(container('a'), [digest(hour, 1, 7)])]
  await store.usage.commit(push, epoch, checkpoint({ subjects }))
  await waitFor(async () => expect(await read(store)).toEqual(['one/shop/a push:7']))
  await servers.replica.stopHard()
  expect(await read(store)).toEqual(['one/shop/a push:7'])
  await servers.replica.start()
  await store.close()
})

const notAReplica = 'The replica is not a streaming replica of the database in DATABASE_URL'

test('another database is not read, and the reason is reported', async () => {
  const [url, other] = [await servers.primary.createDatabase(), await servers.primary.createDatabase()]
  const db = await reading(url, other)
  await waitFor(async () => expect([...db.errors]).toEqual([notAReplica]))
  expect(await db.databaseName()).toBe(new URL(url).pathname.slice(1))
  await db.close()
  const same = await reading(url, url)
  await servers.primary.createDatabase()
  expect([...same.errors]).toEqual([])
  await same.close()
})

// This test is the last one, because it ends the replication.
test('a server that is not promoted yet is unavailable, not misconfigured', async () => {
  const url = await servers.primary.createDatabase()
  await waitFor(async () => void (await query(onReplica(url), 'SELECT 1')))
  await expect(openPostgresStore({ url: onReplica(url) })).rejects.toThrow(StoreUnavailable)
})

test('a replica that was promoted is not read any more', async () => {
  const url = await servers.primary.createDatabase()
  await query(url, 'CREATE TABLE state AS SELECT 1 AS version')
  const [primary, replica] = [openDatabase({ url }), openDatabase({ url: onReplica(url) })]
  const db = readFromReplica(primary, replica, { checkIntervalMs: 20, maxBehindMs: 1000 })
  const version = async () => (await db.rows<{ version: number }>('SELECT version FROM state'))[0]!.version
  await waitFor(async () => expect(await query(onReplica(url), 'SELECT version FROM state')).toHaveLength(1))
  await query(onReplica(url), 'SELECT pg_promote()')
  await query(url, 'UPDATE state SET version = 2')
  await waitFor(async () => expect(await version()).toBe(2))
  await db.close()
  await primary.close()
})
