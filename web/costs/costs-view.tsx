import { useMemo } from 'react'
import { isPartly } from '../../src/costs/report/measured.ts'
import { Chart } from '../charts/chart.tsx'
import { counted, money } from '../parts/figures.ts'
import { DataTable } from '../parts/table/data-table.tsx'
import { Term } from '../parts/term.tsx'
import { usePlace } from '../state/router.ts'
import { datesOf, type Period, zoomTo } from '../usage/period.ts'
import { areaOf, bandsOf, daysAhead, stepsToDraw } from './area.ts'
import { type CostTableRow, costColumns } from './columns.tsx'
import { CommitmentsNote } from './commitments-note.tsx'
import { CostTiles, type PreviousPeriod, previousPeriod } from './cost-tiles.tsx'
import { type Forecast, useForecast } from './forecast-tile.tsx'
import {
  type CostGroup,
  comparedGroups,
  costUsdOf,
  estimatedIdleUsdOf,
  groupsOf,
  idleByStep,
  idleUsdOf,
  zeroUsage,
} from './groups.ts'
import { measuredOf, scaleNote, scaleOf } from './measured.ts'
import { type CostRow, stepOf } from './queries.ts'
import type { CostSelection } from './selection.ts'
import { WhyChanged } from './why.tsx'

interface Props {
  readonly rows: readonly CostRow[]
  readonly idleRows: readonly CostRow[]
  readonly beforeRows: readonly CostRow[] | undefined
  readonly beforeIdleRows: readonly CostRow[] | undefined
  readonly selection: CostSelection
  readonly period: Period
  readonly cluster: string | undefined
}

export function CostsView(props: Props) {
  const { rows, idleRows, beforeRows, beforeIdleRows, selection, period, cluster } = props
  const { isPart, namespace, workload, values, sharing } = selection
  const isForecast = workload === undefined && values.length === 0
  const forecast = useForecast({ cluster, namespace }, isForecast)
  const groups = useMemo(() => groupsOf(rows), [rows])
  const estimatedUsd = groups.reduce((sum, group) => sum + group.estimatedUsd, estimatedIdleUsdOf(idleRows))
  const unpricedHours = rows.reduce((sum, row) => sum + (row.unpriced_hours ?? 0), 0)
  const networkUsd = rows.reduce((sum, row) => sum + (row.network_at_most_usd ?? 0), 0)
  const previous = previousPeriod(beforeRows, beforeIdleRows, period)
  return (
    <>
      <CostTiles
        {...{ rows, idleRows, groups, period, previous, isPart, forecast }}
        isBeforeUnmeasured={beforeRows !== undefined && previous === undefined}
      />
      {estimatedUsd > 0 && (
        <p className="note">
          {money(estimatedUsd)} of it is estimated at <Term of="base rates">base rates</Term>, because the
          price of a node is not known.
        </p>
      )}
      {!isPart && cluster === undefined && <CommitmentsNote period={period} />}
      {unpricedHours > 0 && (
        <p className="note">
          Not in these costs: {counted(Math.round(unpricedHours), 'hour')} of load balancers and volumes
          without a price. Administrators set prices in Settings.
        </p>
      )}
      {networkUsd > 0 && (
        <p className="note">
          Not in these costs: what pods sent, at most {money(networkUsd)} if all of it went to the internet.
        </p>
      )}
      {previous !== undefined && !isPart && <WhyChanged {...{ cluster, sharing, period }} />}
      <CostArea {...{ groups, idleRows, isPart, period, forecast }} />
      <CostTable {...{ rows, idleRows, groups, selection, period, previous }} />
    </>
  )
}

interface AreaProps {
  readonly groups: readonly CostGroup[]
  readonly idleRows: readonly CostRow[]
  readonly isPart: boolean
  readonly period: Period
  readonly forecast: Forecast | undefined
}

function CostArea({ groups, idleRows, isPart, period, forecast }: AreaProps) {
  const step = stepOf(period.days)
  const bands = useMemo(
    () => bandsOf(groups, isPart ? undefined : idleByStep(idleRows)),
    [groups, idleRows, isPart],
  )
  const drawn = useMemo(() => stepsToDraw(idleRows, step), [idleRows, step])
  const ahead = useMemo(
    () =>
      step === 'day' && forecast !== undefined ? daysAhead(forecast, period.end_date, Date.now()) : undefined,
    [step, forecast, period.end_date],
  )
  const option = useMemo(() => areaOf(bands, step, drawn, ahead), [bands, step, drawn, ahead])
  return (
    <section className="card cost-area" aria-labelledby="area-title">
      <div className="card-head">
        <h2 id="area-title">Cost by {step}</h2>
        {drawn.partly.size > 0 && (
          <span className="note">{counted(drawn.partly.size, step)} measured only in part, marked *</span>
        )}
      </div>
      <ul className="legend">
        {bands.map(({ name, kind }) => (
          <li key={name}>
            <span className={kind === undefined ? 'dot idle' : `dot kind-${kind}`} aria-hidden="true" />
            <span className="cut" title={name}>
              {name}
            </span>
          </li>
        ))}
        {ahead !== undefined && (
          <li>
            <span className="rule then" aria-hidden="true" /> forecast per day, with a band of 80%
          </li>
        )}
      </ul>
      <Chart
        label={`Cost by ${step} of ${counted(bands.length, 'band')}, stacked; the table below lists the totals`}
        height={320}
        option={option}
        onRange={(first, last) => {
          const [from, to] = [first, last].map(
            (at) => drawn.starts[Math.min(Math.max(0, at), drawn.starts.length - 1)],
          )
          if (from !== undefined && to !== undefined) zoomTo(Date.parse(from), Date.parse(to))
        }}
      />
    </section>
  )
}

interface TableProps {
  readonly rows: readonly CostRow[]
  readonly idleRows: readonly CostRow[]
  readonly groups: readonly CostGroup[]
  readonly selection: CostSelection
  readonly period: Period
  readonly previous: PreviousPeriod | undefined
}

function CostTable({ rows, idleRows, groups, selection, period, previous }: TableProps) {
  const { params } = usePlace()
  const beforeRows = previous?.rows
  const beforeIdleRows = previous?.idleRows
  const table = useMemo(() => {
    const idleUsd = idleUsdOf(idleRows)
    const totalUsd = costUsdOf(rows) + idleUsd
    const compared: readonly Omit<CostTableRow, 'totalUsd'>[] =
      beforeRows === undefined
        ? groups.map((group) => ({ ...group, beforeUsd: undefined }))
        : comparedGroups(groups, groupsOf(beforeRows))
    return [
      ...compared.map((group): CostTableRow => ({ ...group, totalUsd })),
      ...(selection.isPart
        ? []
        : [
            idleRow({
              costUsd: idleUsd,
              estimatedUsd: estimatedIdleUsdOf(idleRows),
              totalUsd,
              beforeUsd: beforeIdleRows && idleUsdOf(beforeIdleRows),
            }),
          ]),
    ]
  }, [rows, idleRows, groups, beforeRows, beforeIdleRows, selection.isPart])
  const isWhole = previous !== undefined && !isPartly(previous.measured)
  const measured = measuredOf(idleRows, period, Date.now())
  const scale = previous && scaleOf(measured, previous.measured)
  const note = isWhole ? scaleNote(measured, previous.measured) : undefined
  const hasGpus = groups.some(({ gpuUsd }) => gpuUsd > 0)
  const columns = useMemo(
    () => costColumns(selection, scale === undefined ? undefined : { isWhole, scale }, params, hasGpus),
    [selection, isWhole, scale, params, hasGpus],
  )
  return (
    <>
      <DataTable
        name="costs"
        fileName={`costs-${datesOf(period)}`}
        caption="Costs"
        columns={columns}
        rows={table}
        rowId={({ id }) => id}
        firstSort={mostExpensiveFirst}
        rowClass={({ id }) => (id === idleId ? 'faded' : undefined)}
      />
      {note !== undefined && <p className="note">{note}</p>}
    </>
  )
}

const mostExpensiveFirst = { id: 'cost', desc: true }
const idleId = 'idle'

const idleRow = (
  sums: Pick<CostTableRow, 'costUsd' | 'estimatedUsd' | 'totalUsd' | 'beforeUsd'>,
): CostTableRow => ({
  ...zeroUsage,
  ...sums,
  id: idleId,
  name: 'Idle',
  place: 'capacity that no container or process uses',
  cluster: undefined,
  namespace: undefined,
  workload: undefined,
  container: undefined,
  value: undefined,
})
