import { useEffect, useRef } from 'react'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { Skeleton, Trouble } from '../parts/states.tsx'
import { usePlace } from '../state/router.ts'
import { barParams } from '../usage/period.ts'
import { AdviceCase } from './advice-case.tsx'
import { DecideButtons } from './decide-buttons.tsx'
import { type Advice, useExplained } from './queries.ts'
import type { Decisions } from './use-decisions.tsx'
import { addressOfAdvice, placeOf, shortTitle } from './words.ts'

interface Props {
  readonly id: string
  /** The recommendation as the list has it, which is there before the rest is loaded. */
  readonly listed: Advice | undefined
  readonly decisions: Decisions
  readonly onClose: () => void
}

/** Shows the whole case for a recommendation beside the list. */
export function AdvicePanel({ id, listed, decisions, onClose }: Props) {
  const { params } = usePlace()
  const panel = useRef<HTMLElement>(null)
  const asked = useExplained(id)
  const advice = listed ?? asked.data?.recommendation
  const address = advice && addressOfAdvice(advice, barParams(params))
  // biome-ignore lint/correctness/useExhaustiveDependencies: another recommendation is read from its beginning
  useEffect(() => void panel.current?.scrollTo(0, 0), [id])
  return (
    <aside ref={panel} className="card advice-panel" aria-label="The open recommendation">
      <div className="panel-head">
        <h2>{advice === undefined ? 'Recommendation' : shortTitle(advice)}</h2>
        <button
          type="button"
          className="button plain"
          aria-label="Close the recommendation"
          onClick={onClose}
        >
          <Icon name="close" size={16} />
        </button>
      </div>
      {advice !== undefined && (
        <>
          <p className="note">
            {placeOf(advice)}{' '}
            {address !== undefined && (
              <Link href={address}>
                {advice.kind === 'container'
                  ? 'Open the container'
                  : advice.kind === 'cluster'
                    ? 'Open the cluster'
                    : 'Open its page'}
              </Link>
            )}
          </p>
          <div className="panel-actions">
            <DecideButtons chosen={[advice]} decisions={decisions} />
          </div>
          <AdviceCase advice={advice} explained={asked.data} />
        </>
      )}
      {asked.isPending && <Skeleton lines={6} label="Loading what it is based on" />}
      {asked.error !== null && <Trouble error={asked.error} again={() => void asked.refetch()} />}
    </aside>
  )
}
