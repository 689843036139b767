import Type from 'typebox'
import { dollars, roundSum } from '../../domain/money.ts'
import { nullable, number, type View } from '../../domain/schema.ts'
import { dayOf, hourMs } from '../../domain/time.ts'
import { Yielder } from '../../runtime/yielder.ts'
import { readEntities } from '../../usage/digest/entities.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import { commitmentNames } from '../answer/commitment-texts.ts'
import { marketOf } from '../market.ts'
import { isActiveOn } from './commitment.ts'
import { coverHour } from './cover-hour.ts'
import { type CoveredHourDeps, totalOf } from './covered-hour.ts'
import { HourlyCounts } from './hourly-counts.ts'
import { countReplaced, replaceNothing } from './replaced-kinds.ts'
import { costPerHour, planRates } from './running-kinds.ts'

export type CommittedCosts = View<typeof CommittedCosts>
export const CommittedCosts = Type.Object({
  commitments: Type.Array(Type.String(), { description: 'Names of those in force in the period' }),
  covered_usd: number('What they cover of nodes and machines, at on-demand prices with your rules, of today'),
  cost_usd: nullable(
    number(
      'What they cost in the hours in which something ran, used or not, without what is used elsewhere; null if one has no known cost',
    ),
  ),
  change_usd: nullable(number('cost_usd minus covered_usd: add it to the sum of GET /v1/costs')),
})

/** Replays a period hour by hour. Nodes and machines count from when each was first and last seen. */
export async function committedCosts(
  { pricing, store, now }: CoveredHourDeps,
  organisation: string,
  { from, to }: HourRange,
  signal?: AbortSignal,
): Promise<CommittedCosts> {
  const all = (await pricing.commitments?.(organisation)) ?? []
  const untilHour = Math.min(to, Math.ceil(now() / hourMs))
  const during = all.filter(
    (one) => one.from <= dayOf((untilHour - 1) * hourMs) && dayOf(from * hourMs) <= one.until,
  )
  if (during.length === 0) return { commitments: [], covered_usd: 0, cost_usd: 0, change_usd: 0 }
  const [market, yielder] = [await marketOf(pricing, organisation), new Yielder(signal)]
  const entities = [
    ...(await readEntities(store.usage, organisation, { kinds: ['node', 'machine'] })).values(),
  ]
  const firstHour = entities.reduce((first, one) => Math.min(first, one.firstHour), untilHour)
  const counts = new HourlyCounts(Math.max(from, firstHour), untilHour)
  for (const entity of entities) {
    if (yielder.isDue) await yielder.pause()
    countReplaced(counts, pricing, market, entity, replaceNothing)
  }
  const rates = planRates(market)
  let [hour, covered, cost] = [Math.max(from, firstHour), 0, 0]
  for (const { hours, kinds } of counts.alike()) {
    const end = hour + hours
    // Commitments begin and end with days.
    while (hour < end) {
      if (yielder.isDue) await yielder.pause()
      const day = dayOf(hour * hourMs)
      const active = during.filter((one) => isActiveOn(one, day))
      const next = Math.min(end, (Math.floor(hour / 24) + 1) * 24)
      const weight = next - hour
      hour = next
      if (kinds.every(({ quantity }) => quantity === 0)) continue
      covered += weight * totalOf(coverHour(active, kinds, rates).uses.map(({ coveredUsd }) => coveredUsd))
      cost +=
        weight *
        totalOf(active.map((one) => (1 - one.usedElsewhere) * (costPerHour(market, one) ?? Number.NaN)))
    }
  }
  return {
    commitments: during.map(({ name }) => name),
    covered_usd: roundSum(covered),
    cost_usd: Number.isNaN(cost) ? null : roundSum(cost),
    change_usd: Number.isNaN(cost) ? null : roundSum(cost - covered),
  }
}

/** Returns nothing without commitments. */
export function committedSentence({
  commitments,
  covered_usd,
  cost_usd,
  change_usd,
}: CommittedCosts): string[] {
  if (commitments.length === 0) return []
  const cost =
    cost_usd === null || change_usd === null
      ? '; what they cost is not known: state cost_per_hour_usd of each.'
      : ` and cost ${dollars(cost_usd)}: with them the sum is ${dollars(Math.abs(change_usd))} ${change_usd > 0 ? 'more' : 'less'}.`
  return [
    `Costs are at on-demand prices. Commitments (${commitmentNames(commitments)}) cover ${dollars(covered_usd)} of nodes and machines${cost}`,
  ]
}
