import type { PatchFormat } from '../../../manifests/patches.ts'
import type { DecidedAdvice, DecisionRequest } from '../../../operations/list-recommendations/decide.ts'
import type {
  AdvicePage,
  ListAdviceDeps,
} from '../../../operations/list-recommendations/list-recommendations.ts'
import type { AdviceRequest } from '../../../operations/list-recommendations/query.ts'
import type { RemoteService } from '../../server.ts'

/** Recommendations of one organisation, through a service or directly in the database. */
export interface Recommendations {
  list(request: AdviceRequest): Promise<AdvicePage>
  decide(ids: readonly string[], decision: DecisionRequest): Promise<DecidedAdvice>
  /** Returns patches as YAML. */
  patches(ids: readonly string[], format: PatchFormat): Promise<string>
}

export const recommendationsOnServer = (server: RemoteService): Recommendations => ({
  list: (request) => server.ask('/v1/recommendations', { query: { ...request } }),
  decide: (ids, decision) =>
    server.ask('/v1/recommendations', { method: 'PATCH', body: { ids, ...decision } }),
  patches: (ids, format) =>
    server.text('/v1/recommendations/patches', { query: { ids: ids.join(','), format } }),
})

export function recommendationsOnDatabase(deps: ListAdviceDeps, organisation: string): Recommendations {
  return {
    async list(request) {
      const { listRecommendations } = await import(
        '../../../operations/list-recommendations/list-recommendations.ts'
      )
      const { parseAdviceRequest } = await import('../../../operations/list-recommendations/query.ts')
      const never = new AbortController().signal
      return listRecommendations(deps, organisation, parseAdviceRequest(request), never)
    },
    async decide(ids, decision) {
      const { decideAdvice } = await import('../../../operations/list-recommendations/decide.ts')
      return decideAdvice(deps, organisation, ids, decision, 'command line')
    },
    async patches(ids, format) {
      const { exportPatches } = await import('../../../operations/list-recommendations/export-patches.ts')
      return exportPatches(deps, organisation, ids, format)
    },
  }
}
