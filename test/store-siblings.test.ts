import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// The implementations for both databases have the same files and functions.

const store = join(import.meta.dirname, '../src/store')
const filesOf = (database: string): string[] =>
  readdirSync(join(store, database), { recursive: true, encoding: 'utf8' })
    .filter((name) => /^[\w/-]+\.ts$/.test(name))
    .sort()
const textOf = (database: string, file: string): string => readFileSync(join(store, database, file), 'utf8')

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

test.each([
  ['decisions.ts', 'Decisions'],
  ['sql-database.ts', 'Changes'],
  ['usage/usage.ts', 'Usage'],
  ['usage/digests.ts', 'Digests'],
])('%s exports its part of the store under the same name', (file, name) => {
  expect(textOf('postgres', file)).toContain(`export function postgres${name}(`)
  expect(textOf('sqlite', file)).toContain(`export function sqlite${name}(`)
})

test.each([
  ['database.ts', ['openDatabase', 'nowSql', 'inTransaction', '(prepareE|e)nsureOrganisation']],
  ['errors.ts', ['translateErrors']],
  ['migrations.ts', ['migrate']],
  ['usage/node-loads.ts', ['forgetNodeLoads', 'pruneNodeLoads']],
  ['usage/retention.ts', ['looseDays', 'writeCompactDay', 'prune']],
  ['usage/partitions.ts', ['ensurePartition', 'openPartition', 'lockPartition']],
  ['usage/journal.ts', ['appendEntries', 'consumeEntries']],
  [
    'usage/checkpoint.ts',
    [
      'commitCheckpoint',
      // PostgreSQL writes many rows with one statement, so that its names are plural.
      ...['updatePartition', 'markLate', 'writeSubject', 'ensureSubject', 'upsertState', 'upsertDigest'],
      ...['writeEntit(y|ies)', 'upsertEntit(y|ies)', 'forgetState'],
    ],
  ],
])('%s has the same functions', (file, names) => {
  for (const name of names)
    for (const database of ['postgres', 'sqlite'])
      expect(textOf(database, file), `${database}/${file}`).toMatch(new RegExp(`\\b${name}`))
})
