import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { exampleEntry, exampleKey } from '../contract/examples.case.ts'
import { StoreUnavailable } from '../port.ts'
import { watchChanges } from '../watch.ts'
import { openClient } from './client.ts'
import { DataDirectoryError } from './directory.ts'
import { translateErrors } from './errors.ts'
import { databaseFile, openSqliteStore, storeOverClient } from './store.ts'

const scratch = mkdtempSync(join(tmpdir(), 'cheapside-sqlite-faults-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
const freshDirectory = () => mkdtempSync(join(scratch, 'data-'))

/** Starts another process that runs the code with the directory's store as `store`. */
function otherProcess(directory: string, code: string): ChildProcess {
  const preamble = ['store.ts', '../contract/examples.case.ts']
    .map(
      (name) =>
        `Object.assign(globalThis, await import(${JSON.stringify(new URL(name, import.meta.url).href)}))`,
    )
    .join('\n')
  const opening = `const store = await openSqliteStore({ directory: ${JSON.stringify(directory)} })`
  return spawn(process.execPath, ['--input-type=module', '-e', [preamble, opening, code].join('\n')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

test('acknowledged writes survive kill -9 repeatedly', async () => {
  const directory = freshDirectory()
  const acknowledged: string[] = []
  for (let round = 0; round < 4; round++) {
    const writer = otherProcess(
      directory,
      `for (let n = 0; ; n++) {
         const id = 'r${round}-' + n
         if (n % 10 === 9) await store.marketplace.register('acme', [exampleEntry(id)])
         else await store.keys.insert(exampleKey(id))
         process.stdout.write(id + '\\n')
       }`,
    )
    const exited = once(writer, 'exit')
    let seen = 0
    for await (const id of createInterface(writer.stdout!)) {
      acknowledged.push(id)
      if (++seen === 50 + 17 * round) writer.kill('SIGKILL')
    }
    await exited
  }
  const store = await openSqliteStore({ directory })
  const { entries } = await store.marketplace.page('acme', { limit: 100_000 })
  const kept = new Set([
    ...(await store.keys.all()).map((key) => key.id),
    ...entries.map((entry) => entry.instanceType),
  ])
  expect(acknowledged.length).toBeGreaterThanOrEqual(4 * 50)
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
  await store.close()
})

test("another process's write is noticed, without polling by the listener", async () => {
  const directory = freshDirectory()
  const store = await openSqliteStore({ directory })
  const heard = Promise.withResolvers<string>()
  const watch = watchChanges(store.changes, {
    pollMs: 3_600_000,
    onChange: heard.resolve,
    onError: heard.reject,
  })
  await watch.checkNow()
  const other = otherProcess(directory, `await store.keys.insert(exampleKey('cli')); await store.close()`)
  const exited = once(other, 'exit')
  expect(await heard.promise).toBe('keys')
  expect(await store.keys.all()).toEqual([exampleKey('cli')])
  expect((await exited)[0]).toBe(0)
  watch.stop()
  await store.close()
})

test('an idle open store does not keep the process alive', async () => {
  const child = otherProcess(freshDirectory(), `await store.keys.insert(exampleKey('a'))`)
  expect((await once(child, 'exit'))[0]).toBe(0)
})

test('when the thread dies pending calls are rejected, and a later call restarts it', async () => {
  const file = join(freshDirectory(), databaseFile)
  const client = await openClient({ file, busyTimeoutMs: 5_000 }, 3_600_000)
  const store = storeOverClient(client)
  await store.keys.insert(exampleKey('a'))
  const entries = Array.from({ length: 5_000 }, (_, n) => exampleEntry(`t${n}`))
  const inFlight = Promise.allSettled([
    store.marketplace.register('acme', entries),
    store.marketplace.register('acme', entries),
  ])
  await client.terminate()
  for (const result of await inFlight) {
    expect(result).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) })
  }
  expect(await store.keys.all()).toEqual([exampleKey('a')])
  expect((await store.marketplace.page('acme', { limit: 9 })).entries).toEqual([])
  await client.terminate()
  await expect(store.keys.all()).rejects.toThrow(StoreUnavailable)
  await store.close()
})

test('a database that another process keeps busy is unavailable, then available again', async () => {
  const directory = freshDirectory()
  const store = await openSqliteStore({ directory, busyTimeoutMs: 50 })
  const other = new DatabaseSync(join(directory, databaseFile))
  other.exec('BEGIN IMMEDIATE')
  await expect(store.keys.insert(exampleKey('a'))).rejects.toThrow(StoreUnavailable)
  expect(await store.keys.all()).toEqual([])
  other.exec('ROLLBACK')
  await store.keys.insert(exampleKey('a'))
  expect(await store.keys.all()).toEqual([exampleKey('a')])
  other.close()
  await store.close()
})

test('a full disk is reported as unavailable', () => {
  const db = new DatabaseSync(':memory:')
  db.exec('PRAGMA max_page_count = 2; CREATE TABLE t (x)')
  const write = () => db.prepare('INSERT INTO t VALUES (zeroblob(100000))').run()
  expect(() => translateErrors(write)).toThrow(StoreUnavailable)
  expect(() => translateErrors(write)).toThrow(/full/)
})

test('a file that is not a database is refused with its name', async () => {
  const directory = freshDirectory()
  writeFileSync(
    join(directory, databaseFile),
    'something else entirely, and long enough to be looked at '.repeat(20),
  )
  await expect(openSqliteStore({ directory })).rejects.toThrow(DataDirectoryError)
  await expect(openSqliteStore({ directory })).rejects.toThrow(
    /cheapside\.db cannot be used: .*not a database/,
  )
})

test('a file with overwritten pages is refused with its name', async () => {
  const directory = freshDirectory()
  const file = join(directory, databaseFile)
  const store = await openSqliteStore({ directory })
  for (let index = 0; index < 200; index++) await store.keys.insert(exampleKey(`key-${index}`))
  await store.close()
  const bytes = readFileSync(file)
  // The schema stays readable, so that the file can be opened.
  bytes.fill(0x5a, bytes.length / 2)
  writeFileSync(file, bytes)
  const read = async () => {
    const damaged = await openSqliteStore({ directory })
    try {
      for (let index = 0; index < 200; index++) await damaged.keys.insert(exampleKey(`other-${index}`))
      return await damaged.keys.all()
    } finally {
      await damaged.close()
    }
  }
  const failure = await read().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(DataDirectoryError)
  expect((failure as Error).message).toContain(file)
})
