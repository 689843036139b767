import { StoreUnavailable } from '../port.ts'
import type { Database } from './database.ts'

export interface ReadingDatabase extends Pick<Database, 'rows'> {
  /** For statements that belong together: once one was read from the primary, the later ones never see an older state. */
  pinned(): Pick<Database, 'rows'>
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

  const pinned = (): Pick<Database, 'rows'> => {
    let isOnPrimary = false
    return {
      async rows(sql, values) {
        isOnPrimary ||= performance.now() > closeUntil
        if (isOnPrimary) return primary.rows(sql, values)
        try {
          return await replica.rows(sql, values)
        } catch (error) {
          if (!(error instanceof StoreUnavailable)) throw error
          isOnPrimary = true
          return primary.rows(sql, values)
        }
      },
    }
  }

  return {
    rows: (sql, values) => pinned().rows(sql, values),
    pinned,
    async close() {
      clearInterval(timer)
      await looking
      await replica.close()
    },
  }
}
