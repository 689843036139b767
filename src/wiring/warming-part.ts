import type { HeavyReads } from '../http/heavy-reads.ts'
import { AnswersWarmer, type WarmingDeps } from '../operations/warm-answers.ts'
import type { ServiceContext, ServicePart } from './service-part.ts'

const warmEveryMs = 60_000
/** A node that has not finished by then is taken for gone. */
const longestWarmingMs = 1_800_000

/** Answers that people ask for first are worked out before they do. */
export function warmingPart(
  { store }: ServiceContext,
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
    jobs: [{ name: 'working out answers ahead', everyMs: warmEveryMs, atStart: true, run: warmDue }],
    stop: async () => {
      stopping.abort()
      await warming?.catch(() => {})
    },
  } satisfies ServicePart
}
