import { hourMs } from '../domain/time.ts'
import type { HeavyReads } from '../http/heavy-reads.ts'
import { adviceRoutes } from '../http/routes/usage/advice.ts'
import { AdviceCache, adviceCodec } from '../operations/list-recommendations/advice-cache.ts'
import type { AdviceDeps } from '../operations/list-recommendations/deps.ts'
import type { ListAdviceDeps } from '../operations/list-recommendations/list-recommendations.ts'
import { StoredAnswers } from '../store/stored-answers.ts'
import { version } from '../version.ts'
import type { ServiceContext, ServicePart } from './service-part.ts'

const followEveryMs = 6 * hourMs
const followFirstMs = hourMs / 2

/** The list of all recommendations, their states, and the savings of applied ones. */
export function advicePart(
  { store, now, reportError }: ServiceContext,
  { sizes, machines }: Pick<AdviceDeps, 'sizes' | 'machines'>,
  basis: (organisation: string) => Promise<string>,
  reads: HeavyReads,
) {
  const archive = new StoredAnswers({ store, now, version }, adviceCodec)
  const deps = adviceDeps({ store, now, sizes, machines }, { basis, archive })
  const stopping = new AbortController()
  const holder = crypto.randomUUID()
  let following: Promise<void> | undefined

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

  return {
    deps,
    routes: [adviceRoutes(deps, reads)],
    jobs: [
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
      await following?.catch(() => {})
    },
  } satisfies ServicePart & Record<string, unknown>
}

export const adviceDeps = (
  deps: AdviceDeps,
  options?: ConstructorParameters<typeof AdviceCache>[1],
): ListAdviceDeps => ({ ...deps, advice: new AdviceCache(deps, options) })
