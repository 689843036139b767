import '../styles/overview.css'
import { money, moneyOfParts } from '../parts/figures.ts'
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
      <ul className="spend-list" aria-label="Where the price goes">
        {parts.map(({ id, name, spend }, i) => (
          <li key={id} data-unused={id === 'unused'}>
            <span className="spend-name">{name}</span>
            <span className="spend-money">{amounts[i]}</span>
            <span className="spend-bar" aria-hidden="true">
              <span style={{ width: `${whole > 0 ? (100 * spend) / whole : 0}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
