import pg from 'pg'
import { createServerDirectory, type OwnServer, type ServerOptions } from './postgres-server.ts'
import { sharedAddress } from './shared.ts'

/** A real PostgreSQL for tests. */
export interface TestPostgres {
  readonly url: string
  /** The address of a new database, empty or a copy of the one at an address to which nobody is connected. */
  createDatabase(template?: string): Promise<string>
  /** Removes everything that was created. */
  stop(): Promise<void>
}

export interface OwnTestPostgres extends TestPostgres {
  /** Stops the server as in a power failure; start() starts it again at the same address. */
  stopHard(): Promise<void>
  start(): Promise<void>
  restart(): Promise<void>
}

/** Databases on the server at TEST_DATABASE_URL if set, otherwise on the one server of this run, or on a new one. */
export async function startPostgres(): Promise<TestPostgres> {
  const url = process.env.TEST_DATABASE_URL || (await sharedAddress('postgres'))
  return url ? shared(url) : startOwnPostgres()
}

/** Starts a server that the test may stop and start. */
export async function startOwnPostgres(options: ServerOptions = {}): Promise<OwnTestPostgres> {
  const server = await createServerDirectory(options)
  return {
    url: server.url,
    createDatabase: (template) => createDatabase(server.url, template),
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
  const primary = await startOwnPostgres({ release: 'debian-15' })
  return { primary, replica: await createServerDirectory({ release: 'debian-15', primaryUrl: primary.url }) }
}

function shared(url: string): TestPostgres {
  const made: string[] = []
  return {
    url,
    async createDatabase(template) {
      const database = await createDatabase(url, template)
      made.push(database)
      return database
    },
    async stop() {
      for (const database of made) await query(url, `DROP DATABASE ${nameOf(database)} WITH (FORCE)`)
    },
  }
}

async function createDatabase(url: string, template?: string): Promise<string> {
  const database = new URL(url)
  database.pathname = `/test_${crypto.randomUUID().replaceAll('-', '')}`
  const source = template === undefined ? 'template0' : nameOf(template)
  // Copying files takes a quarter of the time of writing them to the log. Version 14 always does it.
  const [server] = await query<{ version: number }>(
    url,
    "SELECT current_setting('server_version_num')::int AS version",
  )
  const strategy = server!.version >= 150_000 ? 'STRATEGY FILE_COPY' : ''
  await query(url, `CREATE DATABASE ${nameOf(database.href)} TEMPLATE ${source} ENCODING 'UTF8' ${strategy}`)
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
