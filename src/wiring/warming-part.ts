import { once } from 'node:events'
import { hourMs } from '../domain/time.ts'
import type { HeavyReads } from '../http/heavy-reads.ts'
import { AnswersWarmer, type WarmingDeps } from '../operations/warm-answers.ts'
import { RenewedLeases } from '../store/renewed-leases.ts'
import type { ServiceContext, ServicePart } from './service-part.ts'

const warmEveryMs = 60_000
/** The start waits at most this long for the warm-up of code. */
const maxTryMs = 1000
/** Requests that waited for the start are answered first. */
const calmMs = 5000
/** A node that does not renew its lease for this long is considered dead. */
const leaseMs = 60_000
const pruneEveryMs = hourMs

/** Computes the most common answers in advance. */
export function warmingPart(
  { store, now, reportError }: ServiceContext,
  deps: Pick<WarmingDeps, 'sizes' | 'costs' | 'machines' | 'advice'>,
  reads: HeavyReads,
) {
  const leases = new RenewedLeases(store, 'answers/', leaseMs)
  const warmer = new AnswersWarmer({
    ...deps,
    claim: (organisation) => leases.acquire(organisation),
    release: (organisation) => leases.release(organisation),
    usage: { partitions: () => store.usage.partitions() },
    askedWithin: (ms) => reads.askedWithin(ms),
    isBusy: () => reads.isBusy,
    loaded: (organisation, signal) => reads.loaded(organisation, signal),
  })
  const stopping = new AbortController()
  let warming: Promise<void> | undefined

  function warmDue(): Promise<void> {
    warming ??= warmer
      .run(stopping.signal)
      .catch((error) => {
        if (!stopping.signal.aborted) throw error
      })
      .finally(() => {
        warming = undefined
      })
    return warming
  }

  return {
    routes: [],
    start: async () => {
      const late = AbortSignal.timeout(maxTryMs)
      const signal = AbortSignal.any([stopping.signal, late])
      const tried = warmer.warmUpCode(signal, stopping.signal).catch((error) => {
        if (!signal.aborted)
          reportError('warn', 'warming up the sizing code failed; the first request takes longer', error)
      })
      await Promise.race([tried, once(late, 'abort')])
    },
    jobs: [
      { name: 'computing answers ahead', everyMs: warmEveryMs, firstAfterMs: calmMs, run: warmDue },
      { name: 'removing old answers', everyMs: pruneEveryMs, run: () => store.answers.prune(now()) },
    ],
    stop: async () => {
      stopping.abort()
      await warming?.catch(() => {})
    },
  } satisfies ServicePart
}
