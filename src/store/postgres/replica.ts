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
 * `checkIntervalMs`, from WAL positions. `onError` is called at each check that finds the replica unusable.
 */
export function readFromReplica(
  primary: Pick<Database, 'rows'>,
  replica: Database,
  { checkIntervalMs = 1000, maxBehindMs = 5000, onError = (_: StoreUnavailable): void => undefined } = {},
): ReadingDatabase {
  const startedAt = performance.now()
  let positions: { readonly at: number; readonly position: number }[] = []
  let closeUntil = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    const at = performance.now()
    const [ours] = await primary.rows<ServerState>(stateSql('pg_current_wal_lsn()')).catch(() => [])
    if (ours === undefined) return
    positions = [
      ...positions.filter((seen) => seen.at >= at - maxBehindMs),
      { at, position: Number(ours.position) },
    ]
    const [theirs] = await replica.rows<ServerState>(stateSql('pg_last_wal_replay_lsn()')).catch((error) => {
      throw new StoreUnavailable(`The replica: ${(error as Error).message}`, { cause: error })
    })
    const { follows, position, server } = theirs!
    // A replica that was promoted has the same cluster, and its state is no longer that of the primary.
    if (theirs!.database !== ours.database || !(follows || server === ours.server)) {
      closeUntil = Number.NEGATIVE_INFINITY
      throw new StoreUnavailable('The replica is not a streaming replica of the database in DATABASE_URL')
    }
    const reached = positions.findLast((seen) => !follows || Number(position ?? -1) >= seen.position)
    if (reached !== undefined) closeUntil = reached.at + maxBehindMs
    else if (at > Math.max(closeUntil, startedAt + maxBehindMs))
      throw new StoreUnavailable(`The replica is more than ${maxBehindMs / 1000} s behind`)
  }

  const lookQuietly = () => {
    looking ??= look()
      .catch(onError)
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

interface ServerState {
  readonly follows: boolean
  readonly position: string | null
  /** The same on a primary and its replicas. */
  readonly database: string
  /** Different on each server. */
  readonly server: string
}

const stateSql = (lsn: string): string =>
  `SELECT pg_is_in_recovery() AS follows, ${lsn} - '0/0'::pg_lsn AS position,
     system_identifier || '/' || (SELECT oid FROM pg_database WHERE datname = current_database()) AS database,
     pg_postmaster_start_time()::text AS server
   FROM pg_control_system()`
