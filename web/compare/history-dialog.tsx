import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { answer, service } from '../api/client.ts'
import { Chart } from '../charts/chart.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { day, hourly, percent } from '../parts/figures.ts'
import { Segmented } from '../parts/inputs/inputs.tsx'
import { Notice, Skeleton, Trouble } from '../parts/states.tsx'
import type { Column } from '../parts/table/column.ts'
import { DataTable } from '../parts/table/data-table.tsx'
import { paidAs } from './candidates.ts'
import { historyPlot } from './history-plot.ts'
import type { Instance } from './instance.ts'
import { type PriceHistory, type PriceStep, stepsOf } from './price-steps.ts'

const periods = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'A year'],
] as const
const dayMs = 86_400_000

/** Shows how the price of an instance changed. */
export function HistoryDialog({ of, onClose }: { of: Instance; onClose: () => void }) {
  const [days, setDays] = useState<(typeof periods)[number][0]>('90')
  const asked = useQuery({
    queryKey: ['price-history', of, days],
    queryFn: ({ signal }) => {
      const { provider, region, type, os } = of
      const start_date = new Date(Date.now() - Number(days) * dayMs).toISOString()
      const query = { provider, region, instance_type: type, operating_system: os, start_date }
      return answer(service.GET('/pricing/history', { params: { query }, signal }))
    },
  })
  return (
    <Dialog title={`Price history of ${of.type}`} onClose={onClose} wide>
      <div className="history">
        <div className="card-head">
          <p className="note">
            {asked.data?.provider ?? of.provider}, {of.region}, {of.os}
          </p>
          <Segmented label="Period" name="history-days" options={periods} value={days} onChange={setDays} />
        </div>
        {asked.isPending && <Skeleton lines={6} label="Loading prices" />}
        {asked.error !== null && <Trouble error={asked.error} again={() => void asked.refetch()} />}
        {asked.data !== undefined && <Moves history={asked.data} paid={of.paid} />}
      </div>
    </Dialog>
  )
}

export function Moves({ history, paid }: { history: PriceHistory; paid: string }) {
  const kinds = [...new Set(history.series.map(({ usage_type }) => usage_type))]
  const [wanted, setWanted] = useState(paid)
  const kind = kinds.find((each) => each === wanted) ?? kinds[0]!
  const series = useMemo(
    () => history.series.filter(({ usage_type }) => usage_type === kind),
    [history, kind],
  )
  const steps = useMemo(() => stepsOf(series), [series])
  const option = useMemo(() => historyPlot(history, series), [history, series])
  const moved = series.some(({ points }) => points.length > 1)
  const since = series.flatMap(({ points }) => points.map(({ from }) => from)).sort()[0]
  return (
    <>
      {kinds.length > 1 && (
        <Segmented
          label="Payment"
          name="history-paid"
          options={kinds.map((each) => [each, paidAs(each)] as const)}
          value={kind}
          onChange={setWanted}
        />
      )}
      {moved ? (
        <Chart
          label={`Prices over time of ${series.length} payment options; the table below lists them`}
          height={280}
          option={option}
        />
      ) : (
        <Notice tone="info">
          No change is known since {day(since)}. Each refresh of the catalogue adds new prices.
        </Notice>
      )}
      <DataTable
        name="history"
        caption="Prices"
        columns={columns}
        rows={steps}
        rowId={({ id }) => id}
        firstSort={newestFirst}
        pageSize={6}
      />
    </>
  )
}

const newestFirst = { id: 'from', desc: true }

const columns: readonly Column<PriceStep>[] = [
  {
    id: 'series',
    header: 'Payment',
    value: ({ series }) => series,
    cell: ({ series, from }) => (
      <span className="two-lines">
        <span className="as-text">{series}</span>
        <span className="only-narrow">since {day(from)}</span>
      </span>
    ),
    fill: true,
  },
  { id: 'from', header: 'Since', value: ({ from }) => from, cell: ({ from }) => day(from), minor: true },
  {
    id: 'price',
    header: 'Per hour',
    unit: 'USD',
    value: ({ pricePerHour }) => pricePerHour,
    cell: ({ pricePerHour }) => (pricePerHour === null ? 'not offered' : hourly(pricePerHour)),
    number: true,
  },
  {
    id: 'change',
    header: 'Change',
    unit: '%',
    value: ({ changePercent }) => changePercent,
    cell: ({ changePercent }) =>
      changePercent === null ? (
        '–'
      ) : (
        <span className={changePercent <= 0 ? 'good' : 'bad'}>
          {changePercent > 0 && '+'}
          {percent(changePercent)}
        </span>
      ),
    number: true,
  },
]
