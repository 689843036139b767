import '../../node-24.ts'
import type { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { sqliteChanges } from './changes.ts'
import { type DatabaseFile, openDatabase, sqliteCode, sqliteCodes } from './database.ts'
import { DataFolderError } from './folder.ts'
import { sqliteKeys } from './keys.ts'
import { sqliteLeases } from './leases.ts'
import { sqliteMarketplace } from './marketplace.ts'
import { type FromThread, serializeError, type ToThread } from './messages.ts'
import { migrate } from './migrations.ts'
import { sqliteModels } from './models.ts'
import { sqlitePrices } from './prices.ts'
import { sqliteSettings } from './settings.ts'
import { sqliteUsage } from './usage.ts'

/** Interval between checks for writes of other processes. */
const lookEveryMs = 500

const port = parentPort!
const send = (message: FromThread) => port.postMessage(message)

try {
  serve(open(workerData))
} catch (error) {
  send({ kind: 'failed', error: serializeError(error) })
}

function open(at: DatabaseFile): DatabaseSync {
  try {
    const db = openDatabase(at)
    migrate(db)
    return db
  } catch (error) {
    const lasting: readonly number[] = [
      sqliteCodes.cannotOpen,
      sqliteCodes.readOnly,
      sqliteCodes.notADatabase,
      sqliteCodes.corrupt,
    ]
    if (!lasting.includes(sqliteCode(error))) throw error
    throw new DataFolderError(`The database ${at.file} cannot be used: ${(error as Error).message}`)
  }
}

function serve(db: DatabaseSync): void {
  const changes = sqliteChanges(db)
  const alive = db.prepare('SELECT 1')
  const sections: Sections = {
    keys: sqliteKeys(db, changes),
    marketplace: { ...sqliteMarketplace(db, changes) },
    changes: { versions: changes.versions },
    leases: sqliteLeases(db),
    prices: sqlitePrices(db, changes),
    usage: { ...sqliteUsage(db) },
    settings: sqliteSettings(db),
    models: sqliteModels(db),
    database: { ping: () => void alive.get() },
  }
  const slices = new Map<number, unknown[]>()
  const hint = () => changes.wrote() && send({ kind: 'hint' })
  const look = setInterval(() => attempt(hint), lookEveryMs)
  port.on('message', (message: ToThread) => {
    if (message.kind === 'slice') {
      slices.set(message.id, (slices.get(message.id) ?? []).concat(message.items))
    } else if (message.kind === 'call') {
      const args = message.sliced ? [...message.args, slices.get(message.id) ?? []] : message.args
      slices.delete(message.id)
      answer(message.id, () => sections[message.section]![message.method]!(...(args as never[])))
      attempt(hint)
    } else {
      clearInterval(look)
      db.close()
      port.close()
    }
  })
  send({ kind: 'open' })
}

type Sections = Record<string, Record<string, (...args: never[]) => unknown>>

function answer(id: number, work: () => unknown): void {
  try {
    send({ kind: 'value', id, value: work() })
  } catch (error) {
    send({ kind: 'error', id, error: serializeError(error) })
  }
}

/** A failed check is repeated at the next interval. */
function attempt(work: () => void): void {
  try {
    work()
  } catch {}
}
