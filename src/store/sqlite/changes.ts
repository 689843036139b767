import type { DatabaseSync } from 'node:sqlite'

export interface SqliteChanges {
  versions(): Map<string, number>
  /** Increments the version of the topic inside a transaction. */
  increment(topic: string): void
  /** Returns true if any process, including this one, wrote since the last call. */
  wrote(): boolean
}

export function sqliteChanges(db: DatabaseSync): SqliteChanges {
  const all = db.prepare('SELECT topic, version FROM changes')
  const add = db.prepare(
    'INSERT INTO changes (topic, version) VALUES (?, 1) ON CONFLICT (topic) DO UPDATE SET version = version + 1',
  )
  // data_version changes when another connection commits, never by our own commits.
  const dataVersion = db.prepare('PRAGMA data_version')
  const othersVersion = () => Number(dataVersion.get()?.data_version)
  let hasIncremented = false
  let seen = othersVersion()
  return {
    versions: () => new Map(all.all().map((row) => [String(row.topic), Number(row.version)])),
    increment(topic) {
      add.run(topic)
      hasIncremented = true
    },
    wrote() {
      const version = othersVersion()
      const wrote = hasIncremented || version !== seen
      hasIncremented = false
      seen = version
      return wrote
    },
  }
}
