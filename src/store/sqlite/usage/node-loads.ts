import type { DatabaseSync } from 'node:sqlite'
import type { DayRange, NodeLoadDay } from '../../../usage/port.ts'
import { checkOrganisation, checkText } from '../../storable.ts'
import { clusterDaysOf, nodeLoadsFromRow, type StoredNodeLoads, type SubjectDay } from '../../usage-row.ts'
import { nowSql } from '../database.ts'

/** Stored loads of nodes. Writes run inside a transaction. */
export function sqliteNodeLoads(db: DatabaseSync) {
  const select = db.prepare(
    `SELECT day, read_at, bytes FROM node_loads
     WHERE organisation = ? AND cluster = ? AND day >= ? AND day < ? AND length(bytes) > 0 ORDER BY day`,
  )
  const changedAt = db.prepare(
    `SELECT max(read_at) AS changed_at FROM node_loads
     WHERE organisation = ? AND cluster = ? AND day >= ? AND day < ?`,
  )
  const insert = db.prepare(
    `INSERT INTO node_loads (organisation, cluster, day, read_at, bytes) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (organisation, cluster, day) DO UPDATE SET read_at = excluded.read_at, bytes = excluded.bytes
     WHERE read_at < excluded.read_at`,
  )
  // Rows are emptied rather than removed, so that a node that read the old usage before cannot store loads computed
  // from it.
  const emptied = db.prepare(
    `INSERT INTO node_loads (organisation, cluster, day, read_at, bytes) VALUES (?, ?, ?, ${nowSql}, x'')
     ON CONFLICT (organisation, cluster, day) DO UPDATE SET read_at = excluded.read_at, bytes = excluded.bytes`,
  )
  const old = db.prepare('DELETE FROM node_loads WHERE organisation = ? AND day < ?')

  return {
    nodeLoads(organisation: string, cluster: string, { from, to }: DayRange): NodeLoadDay[] {
      const rows = select.all(organisation, cluster, from, to) as unknown as StoredNodeLoads[]
      return rows.map(nodeLoadsFromRow)
    },
    nodeLoadsChangedAt(organisation: string, cluster: string, { from, to }: DayRange): number {
      return Number(changedAt.get(organisation, cluster, from, to)!.changed_at)
    },
    keepNodeLoads(organisation: string, cluster: string, days: readonly NodeLoadDay[]): void {
      checkOrganisation(organisation)
      checkText(cluster)
      for (const { day, readAt, bytes } of days) insert.run(organisation, cluster, day, readAt, bytes)
    },
    forgetNodeLoads(organisation: string, changed: readonly SubjectDay[]): void {
      for (const { cluster, day } of clusterDaysOf(changed)) emptied.run(organisation, cluster, day)
    },
    pruneNodeLoads(organisation: string, beforeDay: number): void {
      old.run(organisation, beforeDay)
    },
  }
}
