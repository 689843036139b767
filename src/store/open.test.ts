import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openStore } from './open.ts'

const dataDirectory = mkdtempSync(join(tmpdir(), 'cheapside-open-'))
afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }))

test('with an address PostgreSQL is used and the data directory stays empty', async () => {
  await expect(openStore({ databaseUrl: 'postgres://127.0.0.1:1/none', dataDirectory })).rejects.toThrow(
    'PostgreSQL',
  )
  expect(readdirSync(dataDirectory)).toEqual([])
})

test('without an address the embedded database is used', async () => {
  const store = await openStore({ dataDirectory })
  await store.ping()
  await store.close()
  expect(readdirSync(dataDirectory)).toEqual(['cheapside.db'])
})
