import { savedPercentOfMonth } from '../../src/domain/money.ts'
import { EffortCards } from '../compare/effort-cards.tsx'
import { percent, textWithAmounts } from '../parts/figures.ts'
import { Notice } from '../parts/states.tsx'
import { setParams, usePlace } from '../state/router.ts'
import type { Summary } from './queries.ts'

/** Shows cheaper machines of sufficient size, by effort. */
export function Rehost({ of, vm }: { of: NonNullable<Summary['rehost']>; vm: string }) {
  const withSpot = usePlace().params.has('spot')
  const options = of.options.filter(({ effort }) => effort !== 'spot' || withSpot)
  const spot = withSpot ? undefined : of.options.find(({ effort }) => effort === 'spot')
  return (
    <section className="rehost" aria-label={`Options for ${vm}`}>
      <h2 className="section-title">Options by effort</h2>
      {of.notes.length > 0 && <Notice tone="warning">{textWithAmounts(of.notes.join(' '))}</Notice>}
      {of.reasons.length > 0 && <p className="note">{textWithAmounts(of.reasons.join(' '))}</p>}
      {of.reasons.length === 0 && options.length === 0 && (
        <p className="note">No comparable machine that is large enough costs less.</p>
      )}
      {options.length > 0 && <EffortCards options={options} />}
      {spot !== undefined && (
        <p className="note">
          Spot would save up to {percent(Math.max(...spot.offers.map(savedPercentOfMonth)))}, but the provider
          can reclaim such a machine at any time.{' '}
          <button type="button" className="link" onClick={() => setParams({ spot: '1' }, 'push')}>
            Show spot
          </button>
        </p>
      )}
    </section>
  )
}
