import { savedPercentOfMonth } from '../../src/domain/money.ts'
import { savingSentence } from '../../src/pricing/answer/commitment-texts.ts'
import '../styles/efforts.css'
import { Badge } from '../parts/badge.tsx'
import { counted, money, percent } from '../parts/figures.ts'
import { type Effort, type Option, paidAs } from './candidates.ts'
import { isOverAYearOld } from './price-ages.ts'
import { changesText, effortNames } from './words.ts'

interface Props {
  readonly options: readonly Option[]
  /** The effort whose offers are listed; undefined for all. */
  readonly chosen?: Effort | undefined
  readonly onChoose?: (effort: Effort | undefined) => void
}

/** Shows the best offer of each effort, least effort first. */
export function EffortCards({ options, chosen, onChoose }: Props) {
  return (
    <ol className="efforts" aria-label="Options by effort">
      {options.map((option) => (
        <li key={option.effort}>
          {onChoose === undefined ? (
            <div className="effort">
              <EffortCard option={option} isListed={false} />
            </div>
          ) : (
            <button
              type="button"
              className="effort"
              aria-pressed={chosen === option.effort}
              onClick={() => onChoose(chosen === option.effort ? undefined : option.effort)}
            >
              <EffortCard option={option} isListed />
            </button>
          )}
        </li>
      ))}
    </ol>
  )
}

function EffortCard({ option: { effort, why, offers }, isListed }: { option: Option; isListed: boolean }) {
  const best = offers.reduce((a, b) => (b.cost_per_month < a.cost_per_month ? b : a))
  const caveats = [...changesText(best), ...(best.machine.performance === null ? ['speed not known'] : [])]
  const place = [best.provider, best.region, best.availability_zone].filter((name) => name !== '')
  return (
    <>
      <span className="effort-name">
        {effortNames[effort]}
        {best.commitments === undefined && (
          <Badge tone="good">saves {percent(savedPercentOfMonth(best))}</Badge>
        )}
      </span>
      <span className="effort-price">
        {money(best.cost_per_month)} <span className="note">per month</span>
      </span>
      <span>
        <b>{best.instance_type}</b>{' '}
        {place.map((name, i) => (
          <span key={name} className="unbroken">
            {name}
            {i < place.length - 1 && ', '}
          </span>
        ))}
        {best.usage_type !== 'ONDEMAND' && `, ${paidAs(best.usage_type, best.term)}`}
      </span>
      {caveats.length > 0 && <span className="effort-caveats">{caveats.join(', ')}</span>}
      {isOverAYearOld(best.price) && (
        <span>
          <Badge tone="warn">price over a year old</Badge>
        </span>
      )}
      {best.commitments !== undefined && (
        <span className="effort-caveats">{savingSentence(best.commitments, money)}</span>
      )}
      <span className="note">{why}</span>
      {isListed && offers.length > 1 && (
        <span className="note">{counted(offers.length, 'offer')} listed below</span>
      )}
    </>
  )
}
