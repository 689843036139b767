import type { PoolClient } from 'pg'
import type { DayRange, NodeLoadDay } from '../../../usage/port.ts'
import { checkOrganisation, checkText, isStorable } from '../../storable.ts'
import { clusterDaysOf, nodeLoadsFromRow, type StoredNodeLoads, type SubjectDay } from '../../usage-row.ts'
import { bufferOf, type Database, nowSql } from '../database.ts'

/**
 * Stored loads of nodes. They are read from the primary, since a replica may still have the loads of a day that was
 * compacted since.
 */
export function postgresNodeLoads(db: Pick<Database, 'rows'>) {
  return {
    async nodeLoads(organisation: string, cluster: string, { from, to }: DayRange): Promise<NodeLoadDay[]> {
      if (!isStorable(cluster)) return []
      const rows = await db.rows<StoredNodeLoads>(
        `SELECT day, read_at, bytes FROM node_loads
         WHERE organisation = $1 AND cluster = $2 AND day >= $3 AND day < $4 AND octet_length(bytes) > 0 ORDER BY day`,
        [organisation, cluster, from, to],
      )
      return rows.map(nodeLoadsFromRow)
    },
    async nodeLoadsChangedAt(organisation: string, cluster: string, { from, to }: DayRange): Promise<number> {
      if (!isStorable(cluster)) return 0
      const [found] = await db.rows<{ changed_at: number | null }>(
        `SELECT max(read_at) AS changed_at FROM node_loads
         WHERE organisation = $1 AND cluster = $2 AND day >= $3 AND day < $4`,
        [organisation, cluster, from, to],
      )
      return found!.changed_at ?? 0
    },
    async keepNodeLoads(organisation: string, cluster: string, days: readonly NodeLoadDay[]): Promise<void> {
      checkOrganisation(organisation)
      checkText(cluster)
      await db.rows(
        `INSERT INTO node_loads (organisation, cluster, day, read_at, bytes)
         SELECT $1, $2, * FROM unnest($3::integer[], $4::bigint[], $5::bytea[]) AS sent (day, read_at, bytes) ORDER BY day
         ON CONFLICT (organisation, cluster, day) DO UPDATE SET read_at = excluded.read_at, bytes = excluded.bytes
         WHERE node_loads.read_at < excluded.read_at`,
        [
          organisation,
          cluster,
          days.map(({ day }) => day),
          days.map(({ readAt }) => readAt),
          days.map(({ bytes }) => bufferOf(bytes)),
        ],
      )
    },
  }
}

/**
 * Must be the last statement of the transaction that changes the days, because transactions of other shards wait for
 * its row locks. Rows are emptied rather than removed, so that a node that read the old usage before cannot store loads
 * computed from it.
 */
export async function forgetNodeLoads(
  client: PoolClient,
  organisation: string,
  changed: readonly SubjectDay[],
): Promise<void> {
  const gone = clusterDaysOf(changed)
  if (gone.length === 0) return
  await client.query(
    `INSERT INTO node_loads (organisation, cluster, day, read_at, bytes)
     SELECT $1, gone.cluster, gone.day, ${nowSql}, ''::bytea
     FROM unnest($2::text[], $3::integer[]) WITH ORDINALITY AS gone (cluster, day, place) ORDER BY gone.place
     ON CONFLICT (organisation, cluster, day) DO UPDATE SET read_at = excluded.read_at, bytes = excluded.bytes`,
    [organisation, gone.map(({ cluster }) => cluster), gone.map(({ day }) => day)],
  )
}

export const pruneNodeLoads = (client: PoolClient, organisation: string, beforeDay: number) =>
  client.query('DELETE FROM node_loads WHERE organisation = $1 AND day < $2', [organisation, beforeDay])
