import type { PoolClient } from 'pg'
import { clusterDaysOf, type SubjectDay } from '../../usage-row.ts'
import { nowSql } from '../database.ts'

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
