import { leastSure } from '../namespaces/attention.tsx'
import { counted, money, share } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { DecideButtons } from './decide-buttons.tsx'
import type { Recommendation } from './queries.ts'
import type { Decisions } from './use-decisions.tsx'

interface Props {
  readonly chosen: readonly Recommendation[]
  readonly decisions: Decisions
  readonly onClear: () => void
}

/** Actions on the selected recommendations. */
export function SelectionBar({ chosen, decisions, onClear }: Props) {
  // Savings of containers are shares of the same nodes, so clusters are not added to them.
  const others = chosen.filter(({ kind }) => kind !== 'cluster')
  const added = others.length === 0 ? chosen : others
  const worth = added.reduce((sum, each) => sum + each.worth_per_month, 0)
  const unsure = chosen.filter(({ confidence }) => confidence < leastSure).length
  return (
    <section className="selection-bar" aria-label="Selected recommendations">
      <b aria-live="polite">
        {counted(chosen.length, 'recommendation')}, {money(worth)} per month
      </b>
      <span className="spring" />
      <DecideButtons chosen={chosen} decisions={decisions} />
      <button type="button" className="button plain" onClick={onClear}>
        <Icon name="close" size={16} /> Clear
      </button>
      {unsure > 0 && (
        <p className="note">
          {unsure === chosen.length ? '' : `${unsure} of `}
          {counted(chosen.length, 'recommendation')} with less than {share(leastSure)} confidence: too little
          history to rely on.
        </p>
      )}
    </section>
  )
}
