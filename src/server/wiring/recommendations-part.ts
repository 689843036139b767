import { dayMs, hourMs } from '../../domain/time.ts'
import type { RecommendationDeps } from '../../recommendations/list/deps.ts'
import type { RecommendationListDeps } from '../../recommendations/list/list-recommendations.ts'
import { readReplacements } from '../../recommendations/list/recommend-commitments.ts'
import { RecommendationLists } from '../../recommendations/list/recommendation-lists.ts'
import type { Store } from '../../store/port.ts'
import { withLease } from '../../store/with-lease.ts'
import type { HeavyReads } from '../heavy-reads.ts'
import { commitmentRoutes } from '../routes/pricing/commitments.ts'
import { recommendationListRoutes } from '../routes/usage/recommendations.ts'
import type { ServiceContext, ServicePart } from './service-part.ts'

const checkEveryMs = hourMs / 6
/** How old lists become. Those that nobody asked for within a day are made to detect what was applied. */
const renewedAfterMs = { asked: hourMs / 2, other: 3 * hourMs }
/** An instance that dies holds its organisation for this long. */
const leaseMs = 60_000

export function recommendationsPart(
  { store, now, reportError }: ServiceContext,
  { sizes, machines }: Pick<RecommendationDeps, 'sizes' | 'machines'>,
  basis: (organisation: string) => Promise<string>,
  reads: HeavyReads,
) {
  const deps = recommendationDeps({ store, now, sizes, machines }, basis)
  const stopping = new AbortController()

  /** Each list is made by one instance of the service for all. */
  async function renewAll(): Promise<void> {
    const asked = new Set(reads.askedWithin(dayMs))
    for (const organisation of new Set((await store.usage.partitions()).map((one) => one.organisation))) {
      if (stopping.signal.aborted) return
      const lease = `recommendations/${encodeURIComponent(organisation)}`
      const ageMs = asked.has(organisation) ? renewedAfterMs.asked : renewedAfterMs.other
      try {
        await withLease(store.leases, lease, { ttlMs: leaseMs }, () =>
          deps.lists.renew(organisation, ageMs, stopping.signal),
        )
      } catch (error) {
        if (!stopping.signal.aborted)
          reportError('warn', 'listing recommendations failed; it will be retried', error, { organisation })
      }
    }
  }

  return {
    deps,
    routes: [recommendationListRoutes(deps, reads), commitmentRoutes(commitmentDeps(store, deps), reads)],
    jobs: [{ name: 'listing recommendations', everyMs: checkEveryMs, run: renewAll }],
    stop: async () => stopping.abort(),
  } satisfies ServicePart & Record<string, unknown>
}

export const recommendationDeps = (
  deps: RecommendationDeps,
  basis?: ConstructorParameters<typeof RecommendationLists>[1],
): RecommendationListDeps => ({ ...deps, lists: new RecommendationLists(deps, basis) })

export const commitmentDeps = (store: Pick<Store, 'settings' | 'usage'>, deps: RecommendationListDeps) => ({
  ...deps.machines.pricing,
  store,
  now: deps.now,
  replacements: (organisation: string, signal: AbortSignal) => readReplacements(deps, organisation, signal),
})
