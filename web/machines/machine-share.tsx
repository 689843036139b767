import { money, moneyOfParts } from '../parts/figures.ts'
import { SpendList } from '../parts/spend-list.tsx'
import { processId } from './process-columns.tsx'
import type { Process, Summary } from './queries.ts'

export const maxShares = 6

/** The machine's price in the period: what processes used, and the rest that nothing used. They add up. */
export function MachineShare({
  rows,
  of,
  words,
}: {
  rows: readonly Process[]
  of: Summary | null | undefined
  words: string
}) {
  const perHour = of?.rehost?.currentCostPerHour
  const hours = of?.measuredHours
  if (perHour == null || hours === undefined) return null
  const byCost = [...rows].sort((one, other) => other.currentSpend - one.currentSpend)
  const used = byCost.reduce((sum, { currentSpend }) => sum + currentSpend, 0)
  const shown = byCost.slice(0, maxShares)
  const others = used - shown.reduce((sum, { currentSpend }) => sum + currentSpend, 0)
  const whole = Math.max(perHour * hours, used)
  const parts = [
    ...shown.map((row) => ({ id: processId(row), name: row.process, spend: row.currentSpend })),
    ...(others > 0.005 ? [{ id: 'others', name: 'Other processes', spend: others }] : []),
    { id: 'unused', name: 'Unused', spend: whole - used },
  ]
  const amounts = moneyOfParts(
    whole,
    parts.map(({ spend }) => spend),
  )
  return (
    <section className="card machine-share" aria-labelledby="share-title">
      <div className="card-head">
        <h2 id="share-title">
          Where the price goes <span className="note">in {words}</span>
        </h2>
        <b>{money(whole)}</b>
      </div>
      <SpendList
        label="Where the price goes"
        whole={whole}
        items={parts.map(({ spend, ...part }, i) => ({ ...part, perMonth: spend, said: amounts[i] }))}
      />
    </section>
  )
}
