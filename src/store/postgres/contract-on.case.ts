import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { query, type TestPostgres } from '../../../test/peers/postgres.ts'
import { storeContract } from '../contract.case.ts'
import { openDatabase } from './database.ts'
import { migrate } from './migrations.ts'
import { openPostgresStore } from './store.ts'

/** Runs the store's contract on a real server of one version. */
export function contractOn(name: string, start: () => Promise<TestPostgres>, versions: RegExp): void {
  describe(name, () => {
    let server: TestPostgres
    beforeAll(async () => {
      server = await start()
    })
    afterAll(() => server.stop())

    test('the server has the expected version', async () => {
      expect(await query(server.url, 'SHOW server_version')).toEqual([
        { server_version: expect.stringMatching(versions) },
      ])
    })

    storeContract(name, async () => {
      const url = await server.createDatabase()
      return {
        open: () => openPostgresStore({ url }),
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
      }
    })
  })
}
