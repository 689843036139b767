import type { ReactNode } from 'react'
import '../styles/recommendations.css'
import { Badge } from '../parts/badge.tsx'
import { money, share } from '../parts/figures.ts'
import { Skeleton, Trouble } from '../parts/states.tsx'
import { useBestRecommendations } from './best-recommendations.ts'
import { DecideButtons } from './decide-buttons.tsx'
import { riskTone, riskWords } from './facet-words.ts'
import { anyState, type RecommendationFilter } from './filter.ts'
import type { Recommendation } from './queries.ts'
import { RecommendationState } from './recommendation-state.tsx'
import { useDecisions } from './use-decisions.tsx'
import { shortTitle } from './words.ts'

interface Props {
  /** A filter that lists the recommendation, among others. */
  readonly filter: RecommendationFilter
  readonly isMeant: (recommendation: Recommendation) => boolean
  /** Shown if nothing is recommended. */
  readonly none: ReactNode
}

const maxListed = 1000

/** The recommendation for the subject of a page, with the decision on it. */
export function DecisionCard({ filter, isMeant, none }: Props) {
  const asked = useBestRecommendations({ ...filter, state: anyState }, maxListed)
  const decisions = useDecisions()
  const recommendation = asked.data?.recommendations.find(isMeant)
  return (
    <section className="card decision-card" aria-label="Recommendation">
      {asked.isPending && <Skeleton lines={3} label="Loading the recommendation" />}
      {asked.error !== null && asked.data === undefined && (
        <Trouble error={asked.error} again={() => void asked.refetch()} />
      )}
      {asked.data !== undefined && recommendation === undefined && <p>{none}</p>}
      {recommendation !== undefined && <Found recommendation={recommendation} />}
      {recommendation !== undefined && (
        <div className="panel-actions">
          <DecideButtons chosen={[recommendation]} decisions={decisions} />
        </div>
      )}
      {decisions.shown}
    </section>
  )
}

function Found({ recommendation }: { recommendation: Recommendation }) {
  const { worth_per_month: worth, risk, confidence } = recommendation
  return (
    <div className="decision-found">
      <h2>{shortTitle(recommendation)}</h2>
      <div className="badges">
        <span>
          <b className={worth < 0 ? 'bad' : 'good'}>{money(Math.abs(worth))}</b>{' '}
          {worth < 0 ? 'more per month' : 'saved per month'}
        </span>
        <Badge tone={riskTone[risk]}>{riskWords[risk]} risk</Badge>
        <Badge>{share(confidence)} confidence</Badge>
      </div>
      <RecommendationState recommendation={recommendation} whole />
    </div>
  )
}
