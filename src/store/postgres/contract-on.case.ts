import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { query, type TestPostgres } from '../../../test/peers/postgres.ts'
import type { FreshDatabase } from '../contract/contract-context.case.ts'
import { storeContract } from '../contract.case.ts'
import { openDatabase } from './database.ts'
import { migrate } from './migrations.ts'
import { openPostgresStore } from './store.ts'

/** Runs the store's contract on a real server of one version. */
export function contractOn(name: string, start: () => Promise<TestPostgres>, versions: RegExp): void {
  describe(name, () => {
    let server: TestPostgres
    /** A database with tables. */
    let template: string
    beforeAll(async () => {
      server = await start()
      template = await server.createDatabase()
      await (await openPostgresStore({ url: template })).close()
    })
    afterAll(() => server.stop())

    test('the server has the expected version', async () => {
      expect(await query(server.url, 'SHOW server_version')).toEqual([
        { server_version: expect.stringMatching(versions) },
      ])
    })

    storeContract(
      name,
      async () => databaseAt(await server.createDatabase()),
      async () => databaseAt(await server.createDatabase(template)),
    )
  })
}

const databaseAt = (url: string): FreshDatabase => ({
  // On a busy machine, nodes that write at once may wait for each other for longer than the default of ten seconds.
  open: () => openPostgresStore({ url, statementTimeoutMs: 120_000 }),
  bytesType: 'bytea',
  async execute(sql) {
    await query(url, sql)
  },
  async migrateTo(version) {
    const database = openDatabase({ url })
    await migrate(database, version)
    await database.close()
  },
  async setVersion(version) {
    await query(url, `DELETE FROM schema_versions WHERE version >= ${version}`)
    await query(url, `INSERT INTO schema_versions (version) VALUES (${version})`)
  },
})
