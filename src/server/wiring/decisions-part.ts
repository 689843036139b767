import { dayMs, hourMs } from '../../domain/time.ts'
import { retentionDaysOf } from '../../ingest/ingest-deps.ts'
import type { HeavyReads } from '../heavy-reads.ts'
import { parseRetention } from './ingest-part.ts'
import { type ServiceContext, type ServicePart, storeAddress } from './service-part.ts'
import { decideInThread } from './training-thread.ts'

const checkEveryMs = 600_000
/** Requests that waited for the start are answered first. */
const firstAfterMs = 60_000
const rowsAtOnce = 1000

/** Decides sizes once a day, and every hour where something happened that cannot wait. */
export function decisionsPart({ store, now, settings, reportError }: ServiceContext, reads: HeavyReads) {
  const retention = parseRetention(settings)
  const stopping = new AbortController()
  /** The hour in which each organisation was last visited. */
  const visited = new Map<string, number>()

  async function decideAll(): Promise<void> {
    const hour = Math.floor(now() / hourMs)
    const partitions = await store.usage.partitions()
    for (const organisation of new Set(partitions.map((partition) => partition.organisation))) {
      if (stopping.signal.aborted) return
      if (visited.get(organisation) === hour) continue
      try {
        await reads.loaded(organisation, stopping.signal)
        await decideInThread({ store: storeAddress(settings), organisation, now: now() }, stopping.signal)
        await prune(organisation)
        visited.set(organisation, hour)
      } catch (error) {
        if (!stopping.signal.aborted)
          reportError('warn', 'deciding sizes failed; it will be retried', error, { organisation })
      }
    }
  }

  async function prune(organisation: string): Promise<void> {
    const before = Math.floor(now() / dayMs) - retentionDaysOf(retention, organisation)
    for (let rows = -1; rows !== 0 && !stopping.signal.aborted; )
      rows = await store.decisions.prune(organisation, before, rowsAtOnce)
  }

  return {
    routes: [],
    jobs: [{ name: 'deciding sizes', everyMs: checkEveryMs, firstAfterMs, run: decideAll }],
    stop: async () => stopping.abort(),
  } satisfies ServicePart
}
