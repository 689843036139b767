import { StoreUnavailable } from '../port.ts'
import type { Database } from './database.ts'

export interface ReadingDatabase extends Pick<Database, 'rows'> {
  close(): Promise<void>
}

/**
 * Reads from a replica that is at most `maxBehindMs` behind, otherwise from the primary. The primary also serves
 * queries if the replica is unavailable or cancels a query because of a recovery conflict. The lag is measured every
 * `checkIntervalMs`, from WAL positions.
 */
export function readFromReplica(
  primary: Pick<Database, 'rows'>,
  replica: Database,
  { checkIntervalMs = 1000, maxBehindMs = 5000 } = {},
): ReadingDatabase {
  let positions: { readonly at: number; readonly position: number }[] = []
  let closeUntil = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    const at = performance.now()
    const [ours] = await primary.rows<{ position: string }>(
      `SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS position`,
    )
    positions = [
      ...positions.filter((seen) => seen.at >= at - maxBehindMs),
      { at, position: Number(ours!.position) },
    ]
    const [theirs] = await replica.rows<{ follows: boolean; position: string | null }>(
      `SELECT pg_is_in_recovery() AS follows, pg_last_wal_replay_lsn() - '0/0'::pg_lsn AS position`,
    )
    const { follows, position } = theirs!
    const reached = positions.findLast((seen) => !follows || Number(position ?? -1) >= seen.position)
    if (reached !== undefined) closeUntil = reached.at + maxBehindMs
  }

  const lookQuietly = () => {
    looking ??= look()
      .catch(() => undefined)
      .finally(() => {
        looking = undefined
      })
  }
  lookQuietly()
  const timer = setInterval(lookQuietly, checkIntervalMs)
  timer.unref()

  return {
    async rows(sql, values) {
      if (performance.now() > closeUntil) return primary.rows(sql, values)
      try {
        return await replica.rows(sql, values)
      } catch (error) {
        if (error instanceof StoreUnavailable) return primary.rows(sql, values)
        throw error
      }
    },
    async close() {
      clearInterval(timer)
      await looking
      await replica.close()
    },
  }
}
