import type { HeavyReads } from '../http/heavy-reads.ts'
import { AnswersWarmer, type WarmingDeps } from '../operations/warm-answers.ts'
import type { ServiceContext, ServicePart } from './service-part.ts'

const warmEveryMs = 60_000
/** The service is ready after this time, whether or not code was tried out by then. */
const longestTryMs = 1000
/** Who waited for the start is answered first. */
const calmMs = 5000
/** A node that has not finished by then is taken for gone. */
const longestWarmingMs = 1_800_000

/** Answers that people ask for first are worked out before they do. */
export function warmingPart(
  { store, log }: ServiceContext,
  deps: Pick<WarmingDeps, 'sizes' | 'costs' | 'machines' | 'advice'>,
  reads: HeavyReads,
) {
  const holder = crypto.randomUUID()
  const leaseOf = (organisation: string) => `answers/${organisation}`
  const warmer = new AnswersWarmer({
    ...deps,
    claim: (organisation) => store.leases.acquire(leaseOf(organisation), holder, longestWarmingMs),
    release: (organisation) => store.leases.release(leaseOf(organisation), holder),
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
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(longestTryMs)])
      await warmer.tryOut(signal).catch((err) => {
        if (!signal.aborted)
          log('warn', 'sizing could not be tried out; the first request takes longer', { err })
      })
    },
    jobs: [{ name: 'working out answers ahead', everyMs: warmEveryMs, firstAfterMs: calmMs, run: warmDue }],
    stop: async () => {
      stopping.abort()
      await warming?.catch(() => {})
    },
  } satisfies ServicePart
}
