import { adviseCommitments } from '../../pricing/commitments/advise-commitments.ts'
import type {
  CommitmentRecommendationQuery,
  CommitmentRecommendations,
} from '../../pricing/commitments/recommendations-schema.ts'
import { type Replace, replaceNothing } from '../../pricing/commitments/replaced-kinds.ts'
import { viewCommitmentRecommendations } from '../../pricing/commitments/view-recommendations.ts'
import { marketOf } from '../../pricing/market.ts'
import { Yielder } from '../../runtime/yielder.ts'
import type { RecommendationListDeps } from './list-recommendations.ts'
import { replacementsIn } from './rows/replacements.ts'

/** Returns how much to commit for what runs steadily, after the recommendations for machines and nodes are followed. */
export async function recommendCommitments(
  deps: RecommendationListDeps,
  organisation: string,
  { days, sizes }: CommitmentRecommendationQuery,
  signal: AbortSignal,
): Promise<CommitmentRecommendations> {
  const replace = sizes === 'now' ? replaceNothing : await readReplacements(deps, organisation, signal)
  const found = await adviseCommitments(deps.machines, organisation, { days, replace }, new Yielder(signal))
  return viewCommitmentRecommendations(found, deps.now())
}

export async function readReplacements(
  deps: RecommendationListDeps,
  organisation: string,
  signal: AbortSignal,
): Promise<Replace> {
  const { pricing } = deps.machines
  const list = await deps.lists.listOf(organisation, signal)
  const ids = list.rows.filter(
    ({ recommendation }) => recommendation.kind === 'cluster' || recommendation.machine !== null,
  )
  const advised = list.find(new Set(ids.map(({ recommendation: { id } }) => id)))
  return replacementsIn(advised.values(), pricing, await marketOf(pricing, organisation))
}
