import { Badge } from '../parts/badge.tsx'
import { day, moment, money } from '../parts/figures.ts'
import { stateWords } from './facet-words.ts'
import type { Recommendation } from './queries.ts'

/** The state of a recommendation, who decided and when, and what became of it. */
export function RecommendationState({
  recommendation,
  whole = false,
}: {
  recommendation: Recommendation
  whole?: boolean
}) {
  const { state, outdated_since } = recommendation
  const isGood = state === 'applied' || (state === 'accepted' && outdated_since === null)
  const notes = notesOf(recommendation, whole ? moment : day)
  return (
    <span className="two-lines recommendation-state">
      <span className="as-text">
        <Badge tone={isGood ? 'good' : undefined}>{stateWords[state]}</Badge>
      </span>
      {notes.length > 0 && <span title={notes.join(', ')}>{notes.join(', ')}</span>}
    </span>
  )
}

function notesOf(
  { state_reason, state_until, state_changed_by, state_changed_at, outdated_since, realised }: Recommendation,
  at: (time: string) => string,
): string[] {
  return [
    ...(outdated_since === null ? [] : [`no longer recommended since ${day(outdated_since)}`]),
    ...(state_until === null ? [] : [`until ${day(state_until)}`]),
    ...(state_reason ? [state_reason] : []),
    ...(state_changed_by
      ? [`by ${state_changed_by}${state_changed_at ? `, ${at(state_changed_at)}` : ''}`]
      : []),
    ...(realised === null
      ? []
      : [`saves ${money(realised.per_month)} per month since ${day(realised.since)}`]),
  ]
}
