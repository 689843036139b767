import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { answer, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'
import { Chart } from '../charts/chart.tsx'
import { amountAxis, axisStyle, tooltipStyle } from '../charts/chart-style.ts'
import type { Palette } from '../charts/palette.ts'
import { toCurrency } from '../parts/currency.ts'
import { hourly, money, percent, small, textWithAmounts } from '../parts/figures.ts'
import { Skeleton, Trouble } from '../parts/states.tsx'
import type { Column } from '../parts/table/column.ts'
import { PlainTable } from '../parts/table/plain-table.tsx'

type CommitmentAnswer =
  paths['/v1/commitment_recommendations']['get']['responses'][200]['content']['application/json']
type Recommendation = CommitmentAnswer['recommendations'][number]

const maxRows = 12

/** How much to commit for what runs steadily, and what other amounts would cost. */
export function CommitmentRecommendations() {
  const [isAsked, setAsked] = useState(false)
  const asked = useQuery({
    queryKey: ['commitment-recommendations'],
    queryFn: ({ signal }) =>
      answer(
        service.GET('/v1/commitment_recommendations', {
          params: { query: { days: 30, sizes: 'recommended' } },
          signal,
        }),
      ),
    enabled: isAsked,
  })
  return (
    <section className="card setting" aria-labelledby="commit-title" id="commit">
      <h2 id="commit-title">What to commit to</h2>
      <p className="note">
        Each hour of the last 30 days is replayed, after what you have committed already, as if the
        recommendations for machines and nodes had been followed.
      </p>
      {!isAsked && (
        <button type="button" className="button" onClick={() => setAsked(true)}>
          Calculate
        </button>
      )}
      {isAsked && asked.isPending && <Skeleton lines={4} label="Replaying hours" />}
      {asked.error !== null && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.data !== undefined && <Found answer={asked.data} />}
    </section>
  )
}

function Found({ answer }: { answer: CommitmentAnswer }) {
  const rows = answer.recommendations.slice(0, maxRows)
  const [chosen, choose] = useState(0)
  const shown = rows[chosen]
  if (shown === undefined) return <p>Nothing runs steadily enough for a commitment to pay.</p>
  return (
    <>
      <PlainTable caption="What to commit to" columns={columns} rows={rows} rowId={nameOf} />
      <label className="field">
        <span className="field-label">Cost by amount</span>
        <select value={chosen} onChange={(event) => choose(Number(event.target.value))}>
          {rows.map((row, index) => (
            <option key={nameOf(row)} value={index}>
              {nameOf(row)}
            </option>
          ))}
        </select>
      </label>
      <Curve of={shown} />
      {answer.notes.map((note) => (
        <p key={note} className="note">
          {textWithAmounts(note)}
        </p>
      ))}
    </>
  )
}

const nameOf = ({ provider, region, family, term }: Recommendation): string =>
  [provider, region ?? 'all regions', family ?? 'all families', term].join(', ')

const columns: readonly Column<Recommendation>[] = [
  { id: 'for', header: 'For', value: nameOf, fill: true },
  {
    id: 'amount',
    header: 'Commit per hour',
    unit: 'USD/h',
    value: (row) => row.amount_per_hour,
    cell: (row) => hourly(row.amount_per_hour),
    number: true,
  },
  {
    id: 'saves',
    header: 'Saves per month',
    unit: 'USD',
    value: (row) => row.saves_per_month,
    cell: (row) => `${money(row.saves_per_month)} (${percent(row.saves_percent)})`,
    number: true,
  },
  {
    id: 'risk',
    header: 'Hours not full',
    unit: '%',
    value: (row) => row.under_used_hours_percent,
    cell: (row) => percent(row.under_used_hours_percent),
    number: true,
  },
  {
    id: 'months',
    header: 'Pays from',
    value: (row) => row.break_even_months,
    cell: (row) => `${small(row.break_even_months)} months`,
    number: true,
  },
]

function Curve({ of }: { of: Recommendation }) {
  const option = useCallback((palette: Palette) => curveOption(of, palette), [of])
  return (
    <Chart
      label={`Expected cost of an hour by committed amount: least at ${hourly(of.amount_per_hour)}, ${hourly(of.cost_per_hour)} instead of ${hourly(of.on_demand_per_hour)} on demand`}
      height={220}
      option={option}
    />
  )
}

const curveOption = ({ curve, amount_per_hour, cost_per_hour }: Recommendation, palette: Palette) => ({
  grid: { left: 8, right: 16, top: 28, bottom: 32, containLabel: true },
  tooltip: { trigger: 'axis', ...tooltipStyle(palette) },
  xAxis: {
    ...amountAxis(palette),
    name: 'committed',
    nameLocation: 'middle',
    nameGap: 28,
    ...axisStyle(palette),
  },
  yAxis: { ...amountAxis(palette, 'hour'), min: 0 },
  series: [
    {
      name: 'Expected cost',
      type: 'line',
      showSymbol: false,
      data: curve.map((point) => [toCurrency(point.amount_per_hour), toCurrency(point.cost_per_hour)]),
    },
    {
      name: 'Least',
      type: 'scatter',
      symbolSize: 12,
      data: [[toCurrency(amount_per_hour), toCurrency(cost_per_hour)]],
    },
  ],
})
