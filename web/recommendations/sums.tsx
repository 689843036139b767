import type { ReactNode } from 'react'
import { savingsParts } from '../../src/recommendations/list/savings-parts.ts'
import { count, counted, money, moneyOfParts } from '../parts/figures.ts'
import { Term } from '../parts/term.tsx'
import { type RecommendationFilter, useRecommendationFilter } from './filter.ts'
import type { RecommendationPage } from './queries.ts'
import { RealisedOverTime } from './realised.tsx'
import { savingsLabel } from './words.ts'

/** Shows one total of savings with its parts, what reliability costs, and what was realised. */
export function Sums({ page }: { page: RecommendationPage }) {
  const filter = useRecommendationFilter()
  const { totals, realised } = page
  const { savings } = totals
  const parts = savingsParts(savings)
  const amounts = moneyOfParts(
    savings.total_per_month,
    parts.map(({ usd }) => usd),
  )
  return (
    <section className="card sums" aria-label="Savings">
      <dl>
        <Sum label={savingsLabel(filter.state)} className="sum-total">
          <b className={savings.total_per_month > 0 ? 'good' : undefined}>{money(savings.total_per_month)}</b>
          <span>
            {count(totals.count - savings.raises_count)} that save
            {savings.estimated_per_month > 0 && (
              <>
                ; {money(savings.estimated_per_month)} at <Term of="base rates" />
              </>
            )}
          </span>
        </Sum>
        {parts.map(({ label }, i) => (
          <Sum key={label} label={label}>
            <b>{amounts[i]}</b>
          </Sum>
        ))}
        {savings.raises_count > 0 && (
          <Sum label="Cost of reliability" className="sum-apart">
            <b className="bad">{money(savings.raises_per_month)}</b>
            <span>{counted(savings.raises_count, 'container needs', 'containers need')} more</span>
          </Sum>
        )}
        <Sum label="Realised" className="sum-apart">
          <b>{money(realised.per_month)}</b>
          <span>
            {realised.since === null
              ? 'nothing yet'
              : `${realised.count} applied; ${money(realised.total)} so far`}
          </span>
        </Sum>
      </dl>
      {realised.since !== null && <RealisedOverTime filter={placeOf(filter)} />}
    </section>
  )
}

/** Realised savings are those of all states, searches and risks. */
const placeOf = ({ cluster, namespace, kind }: RecommendationFilter) => ({
  ...(cluster === undefined ? {} : { cluster }),
  ...(namespace === undefined ? {} : { namespace }),
  ...(kind === undefined ? {} : { kind }),
})

function Sum({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  return (
    <div className={className}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
