import { afterAll, beforeAll } from 'vitest'
import { query, startPostgres, type TestPostgres } from '../../../test/peers/postgres.ts'
import { storeContract } from '../contract.case.ts'
import { openPostgresStore } from './store.ts'

let server: TestPostgres
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

storeContract('PostgreSQL', async () => {
  const url = await server.createDatabase()
  return {
    open: () => openPostgresStore({ url }),
    async execute(sql) {
      await query(url, sql)
    },
    async setVersion(version) {
      await query(url, `INSERT INTO schema_versions (version) VALUES (${version})`)
    },
  }
})
