import { useEffect, useRef } from 'react'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { Skeleton, Trouble } from '../parts/states.tsx'
import { usePlace } from '../state/router.ts'
import { barParams } from '../usage/period.ts'
import { DecideButtons } from './decide-buttons.tsx'
import { type Recommendation, useExplained } from './queries.ts'
import { RecommendationCase } from './recommendation-case.tsx'
import type { Decisions } from './use-decisions.tsx'
import { addressOfRecommendation, placeOf, shortTitle } from './words.ts'

interface Props {
  readonly id: string
  /** The recommendation as the list has it, which is there before the rest is loaded. */
  readonly listed: Recommendation | undefined
  readonly decisions: Decisions
  readonly onClose: () => void
}

/** Shows the whole case for a recommendation beside the list. */
export function RecommendationPanel({ id, listed, decisions, onClose }: Props) {
  const { params } = usePlace()
  const panel = useRef<HTMLElement>(null)
  const asked = useExplained(id)
  const recommendation = listed ?? asked.data?.recommendation
  const address = recommendation && addressOfRecommendation(recommendation, barParams(params))
  // biome-ignore lint/correctness/useExhaustiveDependencies: another recommendation is read from its beginning
  useEffect(() => void panel.current?.scrollTo(0, 0), [id])
  return (
    <aside ref={panel} className="card recommendation-panel" aria-label="The open recommendation">
      <div className="panel-head">
        <h2>{recommendation === undefined ? 'Recommendation' : shortTitle(recommendation)}</h2>
        <button
          type="button"
          className="button plain"
          aria-label="Close the recommendation"
          onClick={onClose}
        >
          <Icon name="close" size={16} />
        </button>
      </div>
      {recommendation !== undefined && (
        <>
          <p className="note">
            {placeOf(recommendation)}{' '}
            {address !== undefined && (
              <Link href={address}>
                {recommendation.kind === 'container'
                  ? 'Open the container'
                  : recommendation.kind === 'cluster'
                    ? 'Open the cluster'
                    : 'Open its page'}
              </Link>
            )}
          </p>
          <div className="panel-actions">
            <DecideButtons chosen={[recommendation]} decisions={decisions} />
          </div>
          <RecommendationCase recommendation={recommendation} explained={asked.data} />
        </>
      )}
      {asked.isPending && <Skeleton lines={6} label="Loading what it is based on" />}
      {asked.error !== null && <Trouble error={asked.error} again={() => void asked.refetch()} />}
    </aside>
  )
}
