import type { ReactNode } from 'react'
import '../styles/recommendations.css'
import { Badge } from '../parts/badge.tsx'
import { money, share } from '../parts/figures.ts'
import { Skeleton, Trouble } from '../parts/states.tsx'
import { AdviceState } from './advice-state.tsx'
import { useBestRecommendations } from './best-recommendations.ts'
import { DecideButtons } from './decide-buttons.tsx'
import { riskTone, riskWords } from './facet-words.ts'
import { type AdviceFilter, anyState } from './filter.ts'
import type { Advice } from './queries.ts'
import { useDecisions } from './use-decisions.tsx'
import { shortTitle } from './words.ts'

interface Props {
  /** A filter that lists the recommendation, among others. */
  readonly filter: AdviceFilter
  readonly isMeant: (advice: Advice) => boolean
  /** Shown if nothing is recommended. */
  readonly none: ReactNode
}

const maxListed = 1000

/** The recommendation for the subject of a page, with the decision on it. */
export function DecisionCard({ filter, isMeant, none }: Props) {
  const asked = useBestRecommendations({ ...filter, state: anyState }, maxListed)
  const decisions = useDecisions()
  const advice = asked.data?.recommendations.find(isMeant)
  return (
    <section className="card decision-card" aria-label="Recommendation">
      {asked.isPending && <Skeleton lines={3} label="Loading the recommendation" />}
      {asked.error !== null && asked.data === undefined && (
        <Trouble error={asked.error} again={() => void asked.refetch()} />
      )}
      {asked.data !== undefined && advice === undefined && <p>{none}</p>}
      {advice !== undefined && <Found advice={advice} />}
      {advice !== undefined && (
        <div className="panel-actions">
          <DecideButtons chosen={[advice]} decisions={decisions} />
        </div>
      )}
      {decisions.shown}
    </section>
  )
}

function Found({ advice }: { advice: Advice }) {
  const { worth_per_month: worth, risk, confidence } = advice
  return (
    <div className="decision-found">
      <h2>{shortTitle(advice)}</h2>
      <div className="badges">
        <span>
          <b className={worth < 0 ? 'bad' : 'good'}>{money(Math.abs(worth))}</b>{' '}
          {worth < 0 ? 'more per month' : 'saved per month'}
        </span>
        <Badge tone={riskTone[risk]}>{riskWords[risk]} risk</Badge>
        <Badge>{share(confidence)} confidence</Badge>
      </div>
      <AdviceState advice={advice} whole />
    </div>
  )
}
