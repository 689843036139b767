import '../../runtime/node-24.ts'
import type { DatabaseSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import type { MarketplaceEntry } from '../../domain/marketplace.ts'
import type { Methods } from '../../runtime/request-channel.ts'
import { serveWorker } from '../../runtime/worker-thread.ts'
import { sharedTables } from '../tables/tables.ts'
import { usageTables } from '../tables/usage.ts'
import { type DatabaseFile, openDatabase } from './database.ts'
import { sqliteDecisions } from './decisions.ts'
import { translateErrors, translateOpenErrors } from './errors.ts'
import { migrate } from './migrations.ts'
import { sqliteChanges, sqliteSql } from './sql-database.ts'
import { sqliteUsage } from './usage/usage.ts'

/** Interval between checks for writes of other processes. */
const checkIntervalMs = 500

let db: DatabaseSync | undefined
let look: NodeJS.Timeout | undefined
let hint = () => {}
const methods: Record<string, Methods[string]> = {}
const server = serveWorker({
  methods,
  afterCall: () => hint(),
  onClose: () => {
    clearInterval(look)
    db?.close()
  },
})

try {
  db = translateErrors(() => open(workerData))
  serve(db)
  server.ready()
} catch (error) {
  server.failed(error)
}

function open(at: DatabaseFile): DatabaseSync {
  return translateOpenErrors(at.file, () => {
    const opened = openDatabase(at)
    migrate(opened)
    return opened
  })
}

function serve(opened: DatabaseSync): void {
  const changes = sqliteChanges(opened)
  const alive = opened.prepare('SELECT 1')
  const sql = sqliteSql(opened, changes)
  const { marketplace, ...tables } = sharedTables(sql)
  const sections: Record<string, Methods> = {
    ...(tables as Record<string, object> as Record<string, Methods>),
    // The entries are the last argument, since they are sent in slices.
    marketplace: {
      ...marketplace,
      register: (
        organisation: string,
        maxEntries: number | undefined,
        entries: readonly MarketplaceEntry[],
      ) => marketplace.register(organisation, entries, maxEntries),
    },
    changes: { versions: changes.versions },
    usage: { ...usageTables(sql, sql, (row) => `${row}.partition = p.id`), ...sqliteUsage(opened) },
    decisions: sqliteDecisions(opened),
    database: { ping: () => void alive.get() },
  }
  for (const [name, section] of Object.entries(sections))
    for (const [method, run] of Object.entries(section))
      methods[`${name}.${method}`] = (...args) => translateErrors(() => run(...args), workerData.file)
  hint = () => {
    try {
      if (changes.wrote()) server.emit('hint')
    } catch {
      // If changes cannot be read now, a later check reports them.
    }
  }
  look = setInterval(hint, checkIntervalMs)
}
