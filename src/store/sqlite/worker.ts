import '../../runtime/node-24.ts'
import type { DatabaseSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import type { Methods } from '../../runtime/request-channel.ts'
import { serveWorker } from '../../runtime/worker-thread.ts'
import { sqliteChanges } from './changes.ts'
import { type DatabaseFile, openDatabase } from './database.ts'
import { sqliteDecisions } from './decisions.ts'
import { translateErrors, translateOpenErrors } from './errors.ts'
import { sqliteKeys } from './keys.ts'
import { sqliteLeases } from './leases.ts'
import { sqliteMarketplace } from './marketplace.ts'
import { migrate } from './migrations.ts'
import { sqliteModels } from './models.ts'
import { sqlitePrices } from './prices.ts'
import { sqliteRecommendations } from './recommendations.ts'
import { sqliteSessions } from './sessions.ts'
import { sqliteSettings } from './settings.ts'
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
  const sections: Record<string, Methods> = {
    keys: sqliteKeys(opened, changes),
    sessions: sqliteSessions(opened, changes),
    marketplace: { ...sqliteMarketplace(opened, changes) },
    changes: { versions: changes.versions },
    leases: sqliteLeases(opened),
    prices: sqlitePrices(opened, changes),
    usage: { ...sqliteUsage(opened) },
    settings: sqliteSettings(opened, changes),
    models: sqliteModels(opened),
    recommendations: sqliteRecommendations(opened),
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
