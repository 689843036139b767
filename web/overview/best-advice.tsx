import type { UseQueryResult } from '@tanstack/react-query'
import { Badge } from '../parts/badge.tsx'
import { money } from '../parts/figures.ts'
import { Link } from '../parts/link.tsx'
import { Skeleton, Trouble } from '../parts/states.tsx'
import { riskTone } from '../recommendations/facet-words.ts'
import type { AdvicePage } from '../recommendations/queries.ts'
import { addressOfAdvice, placeOf } from '../recommendations/words.ts'

/** Shows the recommendations of greatest worth, each with a link to its subject. */
export function BestAdvice({ asked, kept }: { asked: UseQueryResult<AdvicePage>; kept: URLSearchParams }) {
  if (asked.isPending) return <Skeleton lines={6} label="Loading recommendations" />
  if (asked.data === undefined) return <Trouble error={asked.error} again={() => void asked.refetch()} />
  const { recommendations } = asked.data
  if (recommendations.length === 0) return <p className="note">There is nothing to recommend.</p>
  return (
    <ol className="best-advice">
      {recommendations.map((advice) => (
        <li key={advice.id}>
          <span className="two-lines">
            <Link href={addressOfAdvice(advice, kept) ?? ''}>{advice.title}</Link>
            <span title={placeOf(advice)}>{placeOf(advice)}</span>
          </span>
          <Badge tone={riskTone[advice.risk]}>{advice.risk} risk</Badge>
          <b className={advice.worth_per_month < 0 ? 'bad' : 'good'}>{money(advice.worth_per_month)}</b>
        </li>
      ))}
    </ol>
  )
}
