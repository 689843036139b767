import type { UseQueryResult } from '@tanstack/react-query'
import { Badge } from '../parts/badge.tsx'
import { money } from '../parts/figures.ts'
import { Link } from '../parts/link.tsx'
import { Skeleton, Trouble } from '../parts/states.tsx'
import { riskTone } from '../recommendations/facet-words.ts'
import type { RecommendationPage } from '../recommendations/queries.ts'
import { addressOfRecommendation, placeOf } from '../recommendations/words.ts'

/** Shows the recommendations of greatest worth, each with a link to its subject. */
export function BestRecommendations({
  asked,
  kept,
}: {
  asked: UseQueryResult<RecommendationPage>
  kept: URLSearchParams
}) {
  if (asked.isPending) return <Skeleton lines={6} label="Loading recommendations" />
  if (asked.data === undefined) return <Trouble error={asked.error} again={() => void asked.refetch()} />
  const { recommendations } = asked.data
  if (recommendations.length === 0) return <p className="note">There is nothing to recommend.</p>
  return (
    <ol className="best-recommendations">
      {recommendations.map((recommendation) => (
        <li key={recommendation.id}>
          <span className="two-lines">
            <Link href={addressOfRecommendation(recommendation, kept) ?? ''}>{recommendation.title}</Link>
            <span title={placeOf(recommendation)}>{placeOf(recommendation)}</span>
          </span>
          <Badge tone={riskTone[recommendation.risk]}>{recommendation.risk} risk</Badge>
          <b className={recommendation.worth_per_month < 0 ? 'bad' : 'good'}>
            {money(recommendation.worth_per_month)}
          </b>
        </li>
      ))}
    </ol>
  )
}
