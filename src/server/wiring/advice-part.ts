import { dayMs, hourMs } from '../../domain/time.ts'
import { AdviceCache } from '../../recommendations/list/advice-cache.ts'
import type { AdviceDeps } from '../../recommendations/list/deps.ts'
import type { ListAdviceDeps } from '../../recommendations/list/list-recommendations.ts'
import type { HeavyReads } from '../heavy-reads.ts'
import { adviceRoutes } from '../routes/usage/advice.ts'
import type { ServiceContext, ServicePart } from './service-part.ts'

const followEveryMs = 6 * hourMs
const followFirstMs = hourMs / 2
const renewEveryMs = hourMs / 6

/** The list of all recommendations, their states, and the savings of applied ones. */
export function advicePart(
  { store, now, reportError }: ServiceContext,
  { sizes, machines }: Pick<AdviceDeps, 'sizes' | 'machines'>,
  basis: (organisation: string) => Promise<string>,
  reads: HeavyReads,
) {
  const deps = adviceDeps({ store, now, sizes, machines }, { basis })
  const stopping = new AbortController()
  const holder = crypto.randomUUID()
  let following: Promise<void> | undefined
  let renewing: Promise<void> | undefined

  /** Detects applied recommendations even if nobody requests the list. One node does it for all. */
  async function followAll(): Promise<void> {
    if (!(await store.leases.acquire('recommendations', holder, followEveryMs / 2))) return
    const organisations = new Set((await store.usage.partitions()).map(({ organisation }) => organisation))
    for (const organisation of organisations) {
      if (stopping.signal.aborted) return
      try {
        await deps.advice.listOf(organisation, stopping.signal)
      } catch (error) {
        if (!stopping.signal.aborted)
          reportError('warn', 'following recommendations failed; it will be retried', error, { organisation })
      }
    }
  }

  /** Those who ask now and then find the list ready. */
  async function renewAll(): Promise<void> {
    for (const organisation of reads.askedWithin(dayMs))
      await deps.advice.renew(organisation, stopping.signal)
  }

  return {
    deps,
    routes: [adviceRoutes(deps, reads)],
    jobs: [
      {
        name: 'renewing recommendations',
        everyMs: renewEveryMs,
        run: () => {
          renewing ??= renewAll().finally(() => {
            renewing = undefined
          })
          return renewing
        },
      },
      {
        name: 'following recommendations',
        everyMs: followEveryMs,
        firstAfterMs: followFirstMs,
        run: () => {
          following ??= followAll().finally(() => {
            following = undefined
          })
          return following
        },
      },
    ],
    stop: async () => {
      stopping.abort()
      await Promise.allSettled([following, renewing])
    },
  } satisfies ServicePart & Record<string, unknown>
}

export const adviceDeps = (
  deps: AdviceDeps,
  options?: ConstructorParameters<typeof AdviceCache>[1],
): ListAdviceDeps => ({ ...deps, advice: new AdviceCache(deps, options) })
