import { useMemo } from 'react'
import { savedPercentOfMonth } from '../../src/domain/money.ts'
import { Chart } from '../charts/chart.tsx'
import { count, counted, hourly, money, percent, textWithAmounts } from '../parts/figures.ts'
import { Segmented } from '../parts/inputs/inputs.tsx'
import { capNote } from '../parts/month-cap.ts'
import { Empty, Notice } from '../parts/states.tsx'
import { Tile } from '../parts/tile.tsx'
import { setParams, usePlace } from '../state/router.ts'
import {
  bestOf,
  type Candidate,
  type ComparisonAnswer,
  commitmentText,
  type Effort,
  type Option,
  paidAs,
} from './candidates.ts'
import { EffortCards } from './effort-cards.tsx'
import { type Axis, colourOf, plotOf } from './plot.ts'
import { useProviders } from './queries.ts'
import { changesText, effortNames, leftOutWords, speedText } from './words.ts'

interface Props {
  readonly answer: ComparisonAnswer
  readonly options: readonly Option[]
  readonly candidates: readonly Candidate[]
  readonly effort: Effort | undefined
}

export function Results({ answer, options, candidates, effort }: Props) {
  const { current } = answer
  // The headline does not depend on which options are listed below it.
  const best = bestOf(options, (each) => each !== 'commit' && each !== 'spot')
  const committed = bestOf(options, (each) => each === 'commit')
  const spot = answer.options.find((option) => option.effort === 'spot')
  const bestEffort = options.find(({ offers }) => best !== undefined && offers.includes(best))?.effort
  const speed = best?.machine.performance?.ratio ?? 1
  const caveats =
    best === undefined
      ? []
      : [...changesText(best), ...(speed < 0.995 ? [`cores at ${speedText(best)} speed`] : [])]
  const isSpotHidden = spot !== undefined && !options.includes(spot)
  return (
    <>
      <dl className="tiles">
        <Tile
          label="Now"
          value={money(current.cost_per_month)}
          note={`per month, ${hourly(current.cost_per_hour)}/h${capNote(current.cost_per_hour, current.cost_per_month)}, ${current.instance_type || 'custom size'}, ${current.provider} ${current.region}`}
        />
        <Tile
          label="Cheapest that fits"
          value={best === undefined ? '–' : money(best.cost_per_month)}
          note={
            best === undefined ? (
              `None with the current payment option, ${paidAs(current.usage_type).toLowerCase()}`
            ) : (
              <>
                per month {paidAs(best.usage_type).toLowerCase()}, {best.instance_type}, {best.provider}{' '}
                {best.region}
                {caveats.length > 0 && (
                  <>
                    , <em className="caveats">{caveats.join(', ')}</em>
                  </>
                )}
              </>
            )
          }
        />
        <Tile
          label="Saves"
          value={best === undefined ? '–' : percent(savedPercentOfMonth(best))}
          note={
            best === undefined || bestEffort === undefined ? undefined : (
              <>
                {money(best.savings.amount_per_month)} per month: {effortNames[bestEffort].toLowerCase()}
              </>
            )
          }
          tone={best === undefined ? undefined : 'good'}
        />
        {committed !== undefined && (
          <Tile
            label="With a commitment"
            value={money(committed.cost_per_month)}
            note={`per month ${commitmentText(committed)}, ${committed.instance_type}, ${committed.provider}: ${percent(savedPercentOfMonth(committed))} less`}
          />
        )}
      </dl>
      {current.price.price_source === 'base' && (
        <Notice tone="warning" title="The price of the machine is an estimate">
          No price list has it, so it is priced at base rates per core and GiB.
        </Notice>
      )}
      {current.notes.length > 0 && <Notice tone="info">{textWithAmounts(current.notes.join(' '))}</Notice>}
      {options.length === 0 ? (
        <Empty
          icon="check"
          title="No cheaper offer"
          text="No comparable machine that is large enough costs less. Lower the usage or remove limits."
        />
      ) : (
        <EffortCards
          options={options}
          chosen={effort}
          onChoose={(to) => setParams({ effort: to, 'candidates.page': undefined }, 'push')}
        />
      )}
      {isSpotHidden && (
        <p className="note hidden-effort">
          Spot would save up to {percent(Math.max(...spot.offers.map(savedPercentOfMonth)))}, but the provider
          can reclaim such a machine at any time.{' '}
          <button type="button" className="link" onClick={() => setParams({ spot: '1' }, 'push')}>
            Show spot
          </button>
        </p>
      )}
      {answer.unpriced_efforts.length > 0 && (
        <p className="note hidden-effort">
          No prices of {current.provider} in {current.region} are known for:{' '}
          {answer.unpriced_efforts.map((each) => effortNames[each].toLowerCase()).join(', ')}.
        </p>
      )}
      <LeftOut of={answer.left_out} />
      {candidates.length > 0 && <Plot current={current} candidates={candidates} />}
    </>
  )
}

/** Explains why cheaper prices are not shown. */
function LeftOut({ of }: { of: ComparisonAnswer['left_out'] }) {
  if (of.length === 0) return null
  const total = of.reduce((sum, { offers }) => sum + offers, 0)
  return (
    <details className="left-out">
      <summary>{counted(total, 'cheaper price')} not comparable</summary>
      <ul className="plain-list">
        {[...of]
          .sort((a, b) => b.offers - a.offers)
          .map(({ reason, offers }) => (
            <li key={reason}>
              {count(offers)} {leftOutWords[reason]}
            </li>
          ))}
      </ul>
    </details>
  )
}

function Plot({ current, candidates }: Pick<ComparisonAnswer, 'current'> & Pick<Props, 'candidates'>) {
  const { params } = usePlace()
  const axis = axes.find(([each]) => each === params.get('axis'))?.[0] ?? usualAxis(candidates)
  const listed = useProviders().data
  const known = useMemo(() => Object.values(listed ?? {}).map(({ provider }) => provider), [listed])
  const option = useMemo(() => plotOf(current, candidates, axis, known), [current, candidates, axis, known])
  const providers = [...new Set(candidates.map(({ offer }) => offer.provider))].sort()
  return (
    <section className="card plot" aria-labelledby="plot-title">
      <div className="card-head">
        <h2 id="plot-title">Price against {axis === 'speed' ? 'speed' : 'size'}</h2>
        <Segmented
          label="Size is measured in"
          name="axis"
          options={axes}
          value={axis}
          onChange={(to) => setParams({ axis: to }, 'push')}
        />
      </div>
      <ul className="legend" aria-hidden="true">
        {providers.map((provider) => (
          <li key={provider}>
            <span className={`dot kind-${colourOf(provider, known, providers) + 1}`} /> {provider}
          </li>
        ))}
        <li>
          <span className="dot line" /> lowest price at this{' '}
          {axis === 'speed' ? 'speed or faster' : 'size or larger'}
        </li>
        <li>
          <span className="dot now" /> now
        </li>
      </ul>
      <Chart
        label={`Price per month against ${axis} of ${counted(candidates.length, 'candidate')}, with the cheapest of each size and the current machine`}
        height={340}
        option={option}
      />
    </section>
  )
}

const axes = [
  ['speed', 'Speed'],
  ['cores', 'Cores'],
  ['memory', 'Memory'],
] as const

/** Few different numbers of cores would be few columns of dots, which say nothing. */
function usualAxis(candidates: readonly Candidate[]): Axis {
  const sizes = new Set(candidates.map(({ offer }) => offer.vm?.cpu_cores))
  const isSpeedKnown = candidates.some(({ offer }) => offer.machine.performance !== null)
  return sizes.size <= maxSizesForSpeed && isSpeedKnown ? 'speed' : 'cores'
}

const maxSizesForSpeed = 4
