import { useMemo } from 'react'
import { setParams, usePlace } from '../app/router.ts'
import { Chart } from '../charts/chart.tsx'
import type { Column } from '../parts/column.ts'
import { DataTable } from '../parts/data-table.tsx'
import { cores, count, day, gib, hourly, money, percent, small } from '../parts/figures.ts'
import { Segmented, Tile } from '../parts/inputs.tsx'
import { Empty, Notice } from '../parts/states.tsx'
import { type Answer, type Candidate, paidAs } from './candidates.ts'
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
          title="Nothing costs less"
          text="No offer that holds this usage is cheaper. Lower the usage, or limit the candidates less."
        />
      ) : (
        <>
          {types >= (body.limit ?? 0) && (
            <Notice tone="info">
              The {count(types)} cheapest types are shown; limit the candidates to see others.
            </Notice>
          )}
          <section className="card" aria-labelledby="plot-title">
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

export function CandidateTable({ candidates }: { candidates: readonly Candidate[] }) {
  return (
    <DataTable
      name="candidates"
      caption="Candidates"
      columns={columns}
      rows={candidates}
      rowId={({ id }) => id}
      firstSort={cheapestFirst}
    />
  )
}

const cheapestFirst = { id: 'price', desc: false }

const columns: readonly Column<Candidate>[] = [
  {
    id: 'type',
    header: 'Type',
    value: ({ type }) => type,
    cell: ({ type, architecture, provider, region, cores: size, gib: memory }) => (
      <span className="two-lines">
        <b>{type}</b>
        <span className="only-narrow">
          {provider}, {region}
          <br />
          {cores(size)}, {gib(memory)}
        </span>
        <span className="not-narrow">{architecture}</span>
      </span>
    ),
  },
  { id: 'provider', header: 'Provider', value: ({ provider }) => provider, extra: true },
  {
    id: 'region',
    header: 'Region',
    value: ({ region, zone }) => (zone === '' ? region : `${region} ${zone}`),
    cell: ({ region, zone, provider }) => (
      <span className="two-lines">
        {region}
        <span>{zone === '' ? provider : `${provider}, ${zone}`}</span>
      </span>
    ),
    minor: true,
  },
  {
    id: 'paid',
    header: 'Paid as',
    value: ({ usageType, term }) => paidAs(usageType, term),
    minor: true,
  },
  {
    id: 'cores',
    header: 'Cores',
    value: (row) => row.cores,
    cell: (row) => small(row.cores),
    number: true,
    minor: true,
  },
  {
    id: 'memory',
    header: 'Memory',
    value: (row) => row.gib,
    cell: (row) => gib(row.gib),
    number: true,
    minor: true,
  },
  {
    id: 'price',
    header: 'Per hour',
    value: ({ pricePerHour }) => pricePerHour,
    cell: ({ pricePerHour }) => hourly(pricePerHour),
    number: true,
  },
  {
    id: 'saves',
    header: 'Saves',
    value: ({ savesPercent }) => savesPercent,
    cell: ({ savesPercent }) => <span className="good">{percent(savesPercent)}</span>,
    number: true,
  },
  {
    id: 'year',
    header: 'Saves a year',
    value: ({ savesPerYear }) => savesPerYear,
    cell: ({ savesPerYear }) => <span className="good">{money(savesPerYear)}</span>,
    number: true,
  },
  {
    id: 'day',
    header: 'Price of',
    value: (row) => row.day,
    cell: (row) => <span title={row.source}>{day(row.day)}</span>,
    extra: true,
  },
]
