import { useState } from 'react'
import { toCurrency, toUsDollars } from '../parts/currency.ts'
import { dayShort, money } from '../parts/figures.ts'
import type { DaySpend } from './figures-of.ts'

/** Shows the cost of each day. It is drawn without the chart library, which would be most of the first load. */
export function Trend({ days }: { days: readonly DaySpend[] }) {
  const [at, setAt] = useState<number>()
  const totals = days.map(({ used, idle }) => used + idle)
  const top = toUsDollars(niceTop(toCurrency(Math.max(...totals, 0))))
  const shown = days[at ?? days.length - 1]
  if (shown === undefined) return <p className="note">There is no full day of usage yet.</p>
  const height = (value: number) => ({ height: `${(100 * value) / top}%` })
  return (
    <figure className="trend">
      <figcaption className="trend-said">
        <b>{dayShort(shown.day)}</b> {money(shown.used + shown.idle)}
        <span className="trend-key used"> in use {money(shown.used)}</span>
        <span className="trend-key idle"> idle {money(shown.idle)}</span>
      </figcaption>
      <div className="trend-plot" aria-hidden="true">
        <span className="trend-top">{money(top)}</span>
        <span className="trend-half">{money(top / 2)}</span>
        <div className="trend-bars" onPointerLeave={() => setAt(undefined)}>
          {days.map(({ day, used, idle }, index) => (
            <div
              key={day}
              className="trend-day"
              data-at={index === (at ?? days.length - 1)}
              onPointerEnter={() => setAt(index)}
            >
              <div className="trend-idle" style={height(idle)} />
              <div className="trend-used" style={height(used)} />
            </div>
          ))}
        </div>
      </div>
      <div
        className="trend-axis"
        aria-hidden="true"
        // As wide as the bars, which have a maximum width, so that the last label is below the last bar.
        style={{ maxWidth: `calc(64px + ${days.length} * 88px)` }}
      >
        <span>{dayShort(days[0]!.day)}</span>
        {days.length > 1 && <span>{dayShort(days.at(-1)!.day)}</span>}
      </div>
      <table className="visually-hidden">
        <caption>Cost of each day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">In use</th>
            <th scope="col">Idle</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, used, idle }) => (
            <tr key={day}>
              <td>{dayShort(day)}</td>
              <td>{money(used)}</td>
              <td>{money(idle)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

/** Returns the next round number: 104 -> 120 */
export function niceTop(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((step) => step >= value)!
}
