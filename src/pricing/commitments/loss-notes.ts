import { round } from '../../domain/money.ts'
import { coverHour } from './cover-hour.ts'
import type { CoveredHour } from './covered-hour.ts'
import { HourlyCounts } from './hourly-counts.ts'
import { countReplaced, type Replace } from './replaced-kinds.ts'
import { planRates } from './running-kinds.ts'

/** Warns of commitments that are used less if all of what is recommended is done together. */
export function lossNotes(
  { pricing, market, active, machines, coverage }: CoveredHour,
  replace: Replace,
): string[] {
  const counts = new HourlyCounts(0, 1)
  const thisHour = { firstHour: 0, lastHour: 0 }
  for (const one of machines)
    for (const machine of one.machines) countReplaced(counts, pricing, market, machine, replace, thisHour)
  const [then] = counts.alike()
  const { uses } = coverHour(active, then!.kinds, planRates(market))
  const losing = active.flatMap(({ name }, at) => {
    const [now, after] = [coverage.uses[at]!.utilisation, uses[at]!.utilisation]
    return now - after < leastLoss ? [] : [`${name} ${percent(after)} instead of ${percent(now)}`]
  })
  if (losing.length === 0) return []
  const more = losing.length > maxLosing ? `, and ${losing.length - maxLosing} more` : ''
  return [
    `Warning: if the recommendations for machines and nodes are followed, less of what is committed is used: ${losing.slice(0, maxLosing).join(', ')}${more}. What to commit to after them is in GET /v1/commitment_recommendations.`,
  ]
}

/** Share of a commitment: less is no reason to warn. */
const leastLoss = 0.01
const maxLosing = 5
const percent = (share: number): string => `${round(100 * share, 1)}%`
