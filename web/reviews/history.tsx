import { useState } from 'react'
import { ago, counted, moment, money } from '../parts/figures.ts'
import type { Column } from '../parts/table/column.ts'
import { PlainTable } from '../parts/table/plain-table.tsx'
import type { Review } from './queries.ts'

/** What a review found, without the plan. */
interface PastReview {
  readonly name: string
  readonly at: string
  readonly before: number
  readonly after: number
  readonly unpriced: number
}

const maxKept = 20
const placeOf = (organisation: string) => `cheapside-reviews ${organisation}`

function readPast(organisation: string): readonly PastReview[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(placeOf(organisation)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isPast) : []
  } catch {
    return []
  }
}

const isPast = (value: unknown): value is PastReview => {
  const { name, at, before, after, unpriced } = Object(value)
  const figures = [before, after, unpriced]
  return typeof name === 'string' && !Number.isNaN(Date.parse(at)) && figures.every(Number.isFinite)
}

/** The totals of the last reviews of an organisation, in this browser. */
export function usePastReviews(organisation: string) {
  const [past, setPast] = useState(() => readPast(organisation))
  const keep = (next: readonly PastReview[]) => {
    setPast(next)
    localStorage.setItem(placeOf(organisation), JSON.stringify(next))
  }
  return {
    past,
    forget: () => keep([]),
    add: (name: string, { totals, unpriced, unknown }: Review) =>
      keep(
        [
          {
            name,
            at: new Date().toISOString(),
            before: totals.before_per_month,
            after: totals.after_per_month,
            unpriced: unpriced.length + unknown.length,
          },
          ...readPast(organisation),
        ].slice(0, maxKept),
      ),
  }
}

export function PastReviews({ past, onForget }: { past: readonly PastReview[]; onForget: () => void }) {
  return (
    <section className="card past-reviews" aria-labelledby="past-title">
      <div className="card-head">
        <h2 id="past-title">Earlier reviews</h2>
        <button type="button" className="button" onClick={onForget}>
          Forget them
        </button>
      </div>
      <p className="note">
        The totals of the last {maxKept} reviews, kept in this browser only. Plans are not kept: drop one
        again to see its details.
      </p>
      <PlainTable
        caption="Earlier reviews"
        columns={columns}
        rows={past}
        rowId={({ name, at }) => `${at} ${name}`}
      />
    </section>
  )
}

const columns: readonly Column<PastReview>[] = [
  {
    id: 'name',
    header: 'Plan',
    value: ({ name }) => name,
    cell: ({ name, at, unpriced }) => (
      <span className="two-lines whole-name">
        <b>{name}</b>
        <span title={moment(at)}>
          {ago(at, Date.now())}
          {unpriced > 0 && `, ${counted(unpriced, 'resource')} without a price`}
        </span>
      </span>
    ),
  },
  {
    id: 'after',
    header: 'After, per month',
    value: ({ after }) => after,
    cell: ({ after }) => money(after),
    number: true,
    minor: true,
  },
  {
    id: 'difference',
    header: 'Difference',
    value: ({ before, after }) => after - before,
    cell: ({ before, after }) => (
      <span className={after > before ? 'bad' : after < before ? 'good' : undefined}>
        {after > before && '+'}
        {money(after - before)}
      </span>
    ),
    number: true,
  },
]
