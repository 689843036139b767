import type { RecommendationTotals } from './schema.ts'

const parts = [
  ['nodes', 'Cluster nodes'],
  ['containers', 'Container sizes'],
  ['machines', 'Machines'],
  ['idle', 'Idle workloads and machines'],
  ['volumes', 'Volumes'],
] as const

/** The parts of the sum of savings that are not zero. */
export const savingsParts = (savings: RecommendationTotals['savings']) =>
  parts
    .map(([part, label]) => ({ part, label, usd: savings[`${part}_per_month`] }))
    .filter(({ usd }) => usd > 0)
