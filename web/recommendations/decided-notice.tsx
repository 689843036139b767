import { counted, money } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { stateWords } from './facet-words.ts'
import type { Decided } from './queries.ts'
import { placeOf, shortTitle } from './words.ts'

interface Props {
  readonly of: Decided
  readonly isUndoing: boolean
  readonly onUndo: () => void
  readonly onClose: () => void
}

/** Confirms what was decided, and takes it back. */
export function DecidedNotice({ of, isUndoing, onUndo, onClose }: Props) {
  const { state, before } = of
  const [first] = before
  const worth = before.reduce((sum, { worth_per_month }) => sum + worth_per_month, 0)
  const what =
    before.length === 1
      ? `${shortTitle(first!)} (${placeOf(first!)})`
      : counted(before.length, 'recommendation')
  return (
    <section className="decided" aria-label="Last decision">
      <p role="status">
        <b>{state === 'open' ? 'Reopened' : stateWords[state]}:</b> {what}, {money(worth)} per month.
      </p>
      <button type="button" className="button" disabled={isUndoing} onClick={onUndo}>
        Undo
      </button>
      <button type="button" className="button plain" aria-label="Close this message" onClick={onClose}>
        <Icon name="close" size={16} />
      </button>
    </section>
  )
}
