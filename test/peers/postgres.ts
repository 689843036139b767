import pg from 'pg'
import type { PostgresRelease } from './postgres-binaries.ts'
import { createServerDirectory, type OwnServer } from './postgres-server.ts'

/** A real PostgreSQL for tests. */
export interface TestPostgres {
  readonly url: string
  /** The address of a new, empty database. */
  createDatabase(): Promise<string>
  /** Removes everything that was created. */
  stop(): Promise<void>
}

export interface OwnTestPostgres extends TestPostgres {
  /** Stops the server as in a power failure; start() starts it again at the same address. */
  stopHard(): Promise<void>
  start(): Promise<void>
  restart(): Promise<void>
}

/** The server at TEST_DATABASE_URL if set, otherwise a new one. */
export async function startPostgres(): Promise<TestPostgres> {
  const given = process.env.TEST_DATABASE_URL
  return given ? shared(given) : startOwnPostgres()
}

/** Starts a server that the test may stop and start. */
export async function startOwnPostgres(release?: PostgresRelease): Promise<OwnTestPostgres> {
  const server: OwnServer = await createServerDirectory(release)
  return {
    url: server.url,
    createDatabase: () => createDatabase(server.url),
    stop: server.remove,
    stopHard: server.stopHard,
    start: server.start,
    async restart() {
      await server.stopFast()
      await server.start()
    },
  }
}

/** A primary and its streaming replica, of the release that includes pg_basebackup. */
export async function startPostgresWithReplica(): Promise<{ primary: OwnTestPostgres; replica: OwnServer }> {
  const primary = await startOwnPostgres('debian-15')
  return { primary, replica: await createServerDirectory('debian-15', primary.url) }
}

function shared(url: string): TestPostgres {
  const made: string[] = []
  return {
    url,
    async createDatabase() {
      const database = await createDatabase(url)
      made.push(database)
      return database
    },
    async stop() {
      for (const database of made) await query(url, `DROP DATABASE ${nameOf(database)} WITH (FORCE)`)
    },
  }
}

async function createDatabase(url: string): Promise<string> {
  const database = new URL(url)
  database.pathname = `/test_${crypto.randomUUID().replaceAll('-', '')}`
  await query(url, `CREATE DATABASE ${nameOf(database.href)} TEMPLATE template0 ENCODING 'UTF8'`)
  return database.href
}

const nameOf = (url: string): string => new URL(url).pathname.slice(1)

/** Runs one statement on a new connection. */
export async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  // Without a handler, a server that stops while the connection is idle would end the tests. The statement reports the
  // error.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}
