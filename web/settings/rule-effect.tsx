import { counted, money } from '../parts/figures.ts'

export interface EffectRow {
  readonly name: string
  readonly place: string
  readonly before: string
  readonly after: string
  /** Formatted; per month. */
  readonly difference: string
}

const maxRows = 8

/** What rules would change, with the largest differences. */
export function Effect({
  lead,
  perMonth,
  rows,
}: {
  lead: string
  /** Undefined if the sum stays the same. */
  perMonth?: { readonly before: number; readonly after: number }
  rows: readonly EffectRow[]
}) {
  const difference = perMonth === undefined ? 0 : perMonth.after - perMonth.before
  return (
    <>
      <p>
        {lead}
        {perMonth !== undefined && (
          <>
            {' '}
            {money(perMonth.before)} per month would become <b>{money(perMonth.after)}</b>:{' '}
            {difference === 0
              ? 'no difference'
              : `${money(Math.abs(difference))} ${difference < 0 ? 'less' : 'more'}`}
            .
          </>
        )}
      </p>
      {rows.length > 0 && (
        <ul className="effect-rows">
          {rows.slice(0, maxRows).map(({ name, place, before, after, difference: each }) => (
            <li key={`${place}/${name}`}>
              <span className="two-lines">
                <b>{name}</b>
                <span>{place}</span>
              </span>
              <span>
                {before} → {after}
              </span>
              <span className="number">{each}</span>
            </li>
          ))}
        </ul>
      )}
      {rows.length > maxRows && (
        <p className="note">{counted(rows.length - maxRows, 'more is', 'more are')} not shown.</p>
      )}
    </>
  )
}
