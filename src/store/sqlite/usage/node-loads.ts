import type { DatabaseSync } from 'node:sqlite'
import { clusterDaysOf, type SubjectDay } from '../../usage-row.ts'
import { nowSql } from '../database.ts'

/** Runs inside a transaction. */
export function sqliteNodeLoads(db: DatabaseSync) {
  // Rows are emptied rather than removed, so that a node that read the old usage before cannot store loads computed
  // from it.
  const emptied = db.prepare(
    `INSERT INTO node_loads (organisation, cluster, day, read_at, bytes) VALUES (?, ?, ?, ${nowSql}, x'')
     ON CONFLICT (organisation, cluster, day) DO UPDATE SET read_at = excluded.read_at, bytes = excluded.bytes`,
  )
  const old = db.prepare('DELETE FROM node_loads WHERE organisation = ? AND day < ?')

  return {
    forgetNodeLoads(organisation: string, changed: readonly SubjectDay[]): void {
      for (const { cluster, day } of clusterDaysOf(changed)) emptied.run(organisation, cluster, day)
    },
    pruneNodeLoads(organisation: string, beforeDay: number): void {
      old.run(organisation, beforeDay)
    },
  }
}
