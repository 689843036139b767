import type { DatabaseSync } from 'node:sqlite'

export interface SqliteChanges {
  versions(): Map<string, number>
  /** Increments the version of the topic inside a transaction. */
  move(topic: string): void
  /** Returns true if any process, including this one, wrote since the last call. */
  wrote(): boolean
}

export function sqliteChanges(db: DatabaseSync): SqliteChanges {
  const all = db.prepare('SELECT topic, version FROM changes')
  const increment = db.prepare(
    'INSERT INTO changes (topic, version) VALUES (?, 1) ON CONFLICT (topic) DO UPDATE SET version = version + 1',
  )
  // data_version changes when another connection commits, never by our own commits.
  const dataVersion = db.prepare('PRAGMA data_version')
  const othersVersion = () => Number(dataVersion.get()?.data_version)
  let moved = false
  let seen = othersVersion()
  return {
    versions: () => new Map(all.all().map((row) => [String(row.topic), Number(row.version)])),
    move(topic) {
      increment.run(topic)
      moved = true
    },
    wrote() {
      const version = othersVersion()
      const wrote = moved || version !== seen
      moved = false
      seen = version
      return wrote
    },
  }
}
