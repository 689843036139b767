import type {
  CommitmentAdviceQuery,
  CommitmentRecommendations,
} from '../../pricing/commitments/advice-schema.ts'
import { adviseCommitments } from '../../pricing/commitments/advise-commitments.ts'
import { type Replace, replaceNothing } from '../../pricing/commitments/replaced-kinds.ts'
import { viewCommitmentAdvice } from '../../pricing/commitments/view-advice.ts'
import { marketOf } from '../../pricing/market.ts'
import { Yielder } from '../../runtime/yielder.ts'
import type { ListAdviceDeps } from './list-recommendations.ts'
import { replacementsIn } from './rows/replacements.ts'

/** Returns how much to commit for what runs steadily, after the recommendations for machines and nodes are followed. */
export async function recommendCommitments(
  deps: ListAdviceDeps,
  organisation: string,
  { days, sizes }: CommitmentAdviceQuery,
  signal: AbortSignal,
): Promise<CommitmentRecommendations> {
  const replace = sizes === 'now' ? replaceNothing : await readReplacements(deps, organisation, signal)
  const found = await adviseCommitments(deps.machines, organisation, { days, replace }, new Yielder(signal))
  return viewCommitmentAdvice(found, deps.now())
}

export async function readReplacements(
  deps: ListAdviceDeps,
  organisation: string,
  signal: AbortSignal,
): Promise<Replace> {
  const { pricing } = deps.machines
  const list = await deps.advice.listOf(organisation, signal)
  const ids = list.rows.filter(({ advice }) => advice.kind === 'cluster' || advice.machine !== null)
  const advised = list.find(new Set(ids.map(({ advice: { id } }) => id)))
  return replacementsIn(advised.values(), pricing, await marketOf(pricing, organisation))
}
