import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { query, startPostgresWithReplica } from '../../../test/peers/postgres.ts'
import { checkpoint, container, digest, hour, push, read, row } from '../contract/usage-examples.case.ts'
import type { Store } from '../port.ts'
import { openDatabase } from './database.ts'
import { readFromReplica } from './replica.ts'
import { openPostgresStore } from './store.ts'

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
async function reading(url: string) {
  const [primary, replica] = [openDatabase({ url }), openDatabase({ url: onReplica(url) })]
  const db = readFromReplica(primary, replica, { checkIntervalMs: 20, maxBehindMs: 1000 })
  const placeOf = async (one: Pick<typeof db, 'rows'>) => {
    const [row] = await one.rows<{ there: boolean }>('SELECT pg_is_in_recovery() AS there')
    return row!.there ? 'replica' : 'primary'
  }
  return {
    place: () => placeOf(db),
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
