import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// The implementations for both databases have the same files. The contract of the store tests what is in them.

const store = join(import.meta.dirname, '../src/store')
const filesOf = (database: string): string[] =>
  readdirSync(join(store, database), { recursive: true, encoding: 'utf8' })
    .filter((name) => /^[\w/-]+\.ts$/.test(name))
    .sort()

/** Files that only one of them needs, and why. */
const ownFiles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  postgres: {
    'usage/day-tables.ts': 'PostgreSQL has a table for each day',
    'listener.ts': 'PostgreSQL notifies other nodes',
    'replica.ts': 'PostgreSQL may have replicas',
    'server-check.ts': 'the version of a server can be too old',
    'usage/tables.ts': 'PostgreSQL has a table for each day',
  },
  sqlite: {
    'client.ts': 'SQLite runs in a thread',
    'directory.ts': 'the file is in a data directory',
    'directory-lock.ts': 'one process uses a data directory',
    'usage/client.ts': 'SQLite runs in a thread',
    'worker.ts': 'SQLite runs in a thread',
  },
}

test('both databases have the same files', () => {
  const shared = (database: string) =>
    filesOf(database).filter((file) => !Object.hasOwn(ownFiles[database]!, file))
  expect(shared('postgres')).toEqual(shared('sqlite'))
  for (const [database, own] of Object.entries(ownFiles))
    for (const file of Object.keys(own)) expect(filesOf(database), database).toContain(file)
})
