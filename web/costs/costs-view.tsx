import { useMemo } from 'react'
import { monthlyFactors } from '../app/measured-hours.ts'
import type { Period } from '../app/period.ts'
import { usePlace } from '../app/router.ts'
import { Chart } from '../charts/chart.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { counted, money, percent, share } from '../parts/figures.ts'
import { Term } from '../parts/term.tsx'
import { Tile } from '../parts/tile.tsx'
import { areaOf, bandsOf, stepsToDraw } from './area.ts'
import { type CostTableRow, costColumns } from './columns.tsx'
import { costUsdOf, estimatedIdleUsdOf, groupsOf, idleByStep, idleUsdOf } from './groups.ts'
import { changeOf, isPartly, measuredOf, measuredText } from './measured.ts'
import { type CostRow, periodBefore, stepOf } from './queries.ts'

interface Props {
  readonly rows: readonly CostRow[]
  readonly idleRows: readonly CostRow[]
  readonly beforeRows: readonly CostRow[] | undefined
  readonly beforeIdleRows: readonly CostRow[] | undefined
  readonly groupBy: string
  readonly period: Period
}

export function CostsView({ rows, idleRows, groupBy, period, ...before }: Props) {
  // If nothing was measured in the previous period, there is nothing to compare with.
  const isCompared = before.beforeRows !== undefined && before.beforeRows.length > 0
  const beforeRows = isCompared ? before.beforeRows : undefined
  const beforeIdleRows = isCompared ? before.beforeIdleRows : undefined
  const { params } = usePlace()
  const groups = useMemo(() => groupsOf(rows), [rows])
  const idle = useMemo(() => idleByStep(idleRows), [idleRows])
  const step = stepOf(period.days)
  const bands = useMemo(() => bandsOf(groups, idle), [groups, idle])
  const drawn = useMemo(() => stepsToDraw(idleRows, step, Date.now()), [idleRows, step])
  const option = useMemo(() => areaOf(bands, step, drawn.starts), [bands, step, drawn])
  const idleUsd = idleUsdOf(idleRows)
  const usedUsd = costUsdOf(rows)
  const totalUsd = usedUsd + idleUsd
  const beforeUsd = beforeRows && costUsdOf(beforeRows) + idleUsdOf(beforeIdleRows)
  const estimatedIdleUsd = estimatedIdleUsdOf(idleRows)
  const estimatedUsd = groups.reduce((sum, group) => sum + group.estimatedUsd, estimatedIdleUsd)
  const factor = monthlyFactors(idleRows)
  const monthUsd = idleRows.reduce(
    (sum, { cluster, cost_usd, idle_cost_usd = 0 }) => sum + (cost_usd + idle_cost_usd) * factor(cluster),
    0,
  )
  const used = groups.reduce((sum, group) => sum + group.usedCoreHours, 0)
  const requested = groups.reduce((sum, group) => sum + group.requestedCoreHours, 0)
  const measured = measuredOf(idleRows, period, Date.now())
  const measuredBefore = measuredOf(beforeIdleRows ?? [], periodBefore(period), Date.now())
  const isBeforePartly = isCompared && isPartly(measuredBefore)
  const change =
    beforeUsd === undefined ? undefined : changeOf([totalUsd, measured], [beforeUsd, measuredBefore])
  const table = useMemo(() => {
    const before = beforeRows && new Map(groupsOf(beforeRows).map(({ id, costUsd }) => [id, costUsd]))
    return [
      ...groups.map(
        (group): CostTableRow => ({ ...group, totalUsd, beforeUsd: before && (before.get(group.id) ?? 0) }),
      ),
      idleRow({
        costUsd: idleUsd,
        estimatedUsd: estimatedIdleUsd,
        totalUsd,
        beforeUsd: beforeIdleRows && idleUsdOf(beforeIdleRows),
      }),
    ]
  }, [groups, beforeRows, beforeIdleRows, idleUsd, estimatedIdleUsd, totalUsd])
  const columns = useMemo(
    () => costColumns(groupBy, isCompared ? (isBeforePartly ? 'partly' : 'whole') : undefined, params),
    [groupBy, isCompared, isBeforePartly, params],
  )

  return (
    <>
      <dl className="tiles">
        <Tile
          label="Cost of the period"
          value={money(totalUsd)}
          note={`${period.words}; ${money(monthUsd)} per month`}
        />
        {beforeUsd === undefined ? (
          before.beforeRows !== undefined && (
            <Tile label="Compared with the previous period" value="–" note="nothing was measured then" />
          )
        ) : (
          <Tile
            label="Compared with the previous period"
            value={change === undefined ? '–' : `${change > 0 ? '+' : ''}${percent(change)}`}
            note={
              isBeforePartly
                ? `${change === undefined ? '' : 'per measured hour; '}${money(beforeUsd)} then, with usage for only ${measuredText(measuredBefore)}`
                : `${money(beforeUsd)} then`
            }
            tone={change === undefined ? undefined : change <= 0 ? 'good' : 'bad'}
          />
        )}
        <Tile
          label="Idle"
          value={money(idleUsd)}
          note={
            totalUsd === 0
              ? undefined
              : `${percent((100 * idleUsd) / totalUsd)} of the cost: node capacity not allocated to containers`
          }
        />
        <Tile
          label="CPU used of requested"
          value={requested === 0 ? '–' : share(used / requested)}
          note="share of the requested cores that containers used"
        />
      </dl>
      {estimatedUsd > 0 && (
        <p className="note">
          {money(estimatedUsd)} of it is estimated at <Term of="base rates">base rates</Term>, because the
          price of a node is not known.
        </p>
      )}
      <section className="card cost-area" aria-labelledby="area-title">
        <div className="card-head">
          <h2 id="area-title">Cost by {step}</h2>
          {drawn.leftOut > 0 && (
            <span className="note">without {counted(drawn.leftOut, step)} measured only in part</span>
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
        </ul>
        <Chart
          label={`Cost by ${step} of ${counted(bands.length, 'band')}, stacked; the table below lists the totals`}
          height={320}
          option={option}
        />
      </section>
      <DataTable
        name="costs"
        caption="Costs"
        columns={columns}
        rows={table}
        rowId={({ id }) => id}
        firstSort={dearestFirst}
        rowClass={({ id }) => (id === idleId ? 'faded' : undefined)}
      />
    </>
  )
}

const dearestFirst = { id: 'cost', desc: true }
const idleId = 'idle'

const idleRow = (
  sums: Pick<CostTableRow, 'costUsd' | 'estimatedUsd' | 'totalUsd' | 'beforeUsd'>,
): CostTableRow => ({
  ...sums,
  id: idleId,
  name: 'Idle',
  place: 'node capacity not allocated to containers',
  idleUsd: 0,
  requestedCoreHours: 0,
  usedCoreHours: 0,
  requestedGibHours: 0,
  usedGibHours: 0,
  cluster: undefined,
  namespace: undefined,
  byStep: new Map(),
})
