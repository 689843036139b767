import { useMemo } from 'react'
import { setParams, usePlace } from '../app/router.ts'
import { Chart } from '../charts/chart.tsx'
import { count, hourly, money, percent } from '../parts/figures.ts'
import { Segmented } from '../parts/inputs.tsx'
import { Empty, Notice } from '../parts/states.tsx'
import { Tile } from '../parts/tile.tsx'
import type { Answer } from './candidates.ts'
import type { RecommendationBody, Size } from './comparison.ts'
import { type Axis, plotOf } from './plot.ts'
import { useMarket, useProviders } from './questions.ts'

const hoursPerMonth = 730
const monthsPerYear = 12

export function Results({ answer, size, body }: { answer: Answer; size: Size; body: RecommendationBody }) {
  const { params } = usePlace()
  const axis: Axis = params.get('axis') === 'memory' ? 'memory' : 'cores'
  const market = useMarket(answer, body, axis)
  const providers = useProviders().data
  const option = useMemo(() => {
    const names = Object.values(providers ?? {}).map(({ provider }) => provider)
    return plotOf(market, size, axis, names)
  }, [market, size, axis, providers])
  const { current, candidates } = answer
  const best = candidates[0]
  const yearly = current.cost_per_hour * hoursPerMonth * monthsPerYear
  const types = new Set(candidates.map(({ type }) => type)).size

  return (
    <>
      <dl className="tiles">
        <Tile
          label="Now"
          value={`${hourly(current.cost_per_hour)}/h`}
          note={`${current.instance_type || 'Own size'}, ${current.provider}, about ${money(yearly)} a year`}
        />
        <Tile
          label="Cheapest that fits"
          value={best === undefined ? '–' : `${hourly(best.pricePerHour)}/h`}
          note={best === undefined ? 'None' : `${best.type}, ${best.provider}, ${best.region}`}
        />
        <Tile
          label="Saves"
          value={best === undefined ? '–' : percent(best.savesPercent)}
          note={best === undefined ? undefined : `${money(best.savesPerYear)} a year`}
          tone={best === undefined ? undefined : 'good'}
        />
      </dl>
      {best === undefined ? (
        <Empty
          icon="check"
          title="No cheaper offer"
          text="No offer that is large enough for this usage is cheaper. Lower the usage or remove filters."
        />
      ) : (
        <>
          {types >= (body.limit ?? 0) && (
            <Notice tone="info">
              The {count(types)} cheapest types are shown; limit the candidates to see others.
            </Notice>
          )}
          <section className="card plot" aria-labelledby="plot-title">
            <div className="card-head">
              <h2 id="plot-title">Price against size</h2>
              <Segmented
                label="Size is measured in"
                name="axis"
                options={[
                  ['cores', 'Cores'],
                  ['memory', 'Memory'],
                ]}
                value={axis}
                onChange={(to) => setParams({ axis: to === 'cores' ? undefined : to }, 'push')}
              />
            </div>
            <Chart
              label={`Price per hour against ${axis} of ${count(market.candidates.length)} candidates, with the cheapest frontier and the machine of today`}
              height={400}
              option={option}
            />
          </section>
        </>
      )}
    </>
  )
}
