import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll } from 'vitest'
import { storeContract } from '../contract.case.ts'
import { openDatabase } from './database.ts'
import { prepareDirectory } from './directory.ts'
import { migrate } from './migrations.ts'
import { databaseFile, openSqliteStore } from './store.ts'

const scratch = mkdtempSync(join(tmpdir(), 'cheapside-sqlite-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

storeContract('SQLite', async () => {
  const directory = join(scratch, crypto.randomUUID(), 'data')
  const execute = async (sql: string) => {
    const db = new DatabaseSync(join(directory, databaseFile))
    db.exec(sql)
    db.close()
  }
  return {
    // On a busy machine, nodes that write at once may wait for each other for longer than the default of five seconds.
    open: () => openSqliteStore({ directory, busyTimeoutMs: 120_000 }),
    bytesType: 'blob',
    execute,
    async migrateTo(version) {
      prepareDirectory(directory)
      const db = openDatabase({ file: join(directory, databaseFile), busyTimeoutMs: 1000 })
      migrate(db, version)
      db.close()
    },
    setVersion: (version) => execute(`PRAGMA user_version = ${version}`),
  }
})
