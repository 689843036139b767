import { Badge } from '../parts/badge.tsx'
import { day, moment, money } from '../parts/figures.ts'
import { stateWords } from './facet-words.ts'
import type { Advice } from './queries.ts'

/** The state of a recommendation, who decided and when, and what became of it. */
export function AdviceState({ advice, whole = false }: { advice: Advice; whole?: boolean }) {
  const { state, outdated_since } = advice
  const isGood = state === 'applied' || (state === 'accepted' && outdated_since === null)
  const notes = notesOf(advice, whole ? moment : day)
  return (
    <span className="two-lines advice-state">
      <span className="as-text">
        <Badge tone={isGood ? 'good' : undefined}>{stateWords[state]}</Badge>
      </span>
      {notes.length > 0 && <span title={notes.join(', ')}>{notes.join(', ')}</span>}
    </span>
  )
}

function notesOf(
  { state_reason, state_until, state_changed_by, state_changed_at, outdated_since, realised }: Advice,
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
