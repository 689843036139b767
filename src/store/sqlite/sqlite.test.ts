import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll } from 'vitest'
import { storeContract } from '../contract.case.ts'
import { databaseFile, openSqliteStore } from './store.ts'

const scratch = mkdtempSync(join(tmpdir(), 'cheapside-sqlite-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

storeContract('SQLite', async () => {
  const folder = join(scratch, crypto.randomUUID(), 'data')
  const execute = async (sql: string) => {
    const db = new DatabaseSync(join(folder, databaseFile))
    db.exec(sql)
    db.close()
  }
  return {
    open: () => openSqliteStore({ folder }),
    execute,
    setVersion: (version) => execute(`PRAGMA user_version = ${version}`),
  }
})
