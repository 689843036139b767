import { isPartly, type Measured, measuredText } from '../../src/costs/report/measured.ts'
import { money, percent, share, signedPercent } from '../parts/figures.ts'
import { Tile } from '../parts/tile.tsx'
import { monthlyFactors } from '../usage/measured-hours.ts'
import { type Period, periodBefore } from '../usage/period.ts'
import { BilledTile } from './billed.tsx'
import { type Forecast, ForecastTile } from './forecast-tile.tsx'
import { type CostGroup, costUsdOf, idleUsdOf } from './groups.ts'
import { changeOf, measuredOf, previousNote } from './measured.ts'
import type { CostRow } from './queries.ts'

/** The costs of the previous period, and for how many of its hours there is usage. */
export interface PreviousPeriod {
  readonly rows: readonly CostRow[]
  readonly idleRows: readonly CostRow[] | undefined
  readonly measured: Measured
}

/** If nothing was measured in the previous period, there is nothing to compare with. */
export function previousPeriod(
  rows: readonly CostRow[] | undefined,
  idleRows: readonly CostRow[] | undefined,
  period: Period,
): PreviousPeriod | undefined {
  if (rows === undefined || rows.length === 0) return undefined
  return { rows, idleRows, measured: measuredOf(idleRows ?? [], periodBefore(period), Date.now()) }
}

interface TilesProps {
  readonly rows: readonly CostRow[]
  readonly idleRows: readonly CostRow[]
  readonly groups: readonly CostGroup[]
  readonly period: Period
  readonly previous: PreviousPeriod | undefined
  readonly isBeforeUnmeasured: boolean
  readonly isPart: boolean
  readonly forecast: Forecast | undefined
}

/** Shows the cost of the period, its change, and how much of it is idle or unused. */
export function CostTiles(props: TilesProps) {
  const { rows, idleRows, groups, period, previous, isBeforeUnmeasured, isPart, forecast } = props
  const idleUsd = idleUsdOf(idleRows)
  const totalUsd = costUsdOf(rows) + idleUsd
  const factor = monthlyFactors(idleRows)
  const monthUsd = (isPart ? rows : idleRows).reduce(
    (sum, { cluster, cost_usd, idle_cost_usd = 0 }) => sum + (cost_usd + idle_cost_usd) * factor(cluster),
    0,
  )
  const idleMonthUsd = idleRows.reduce(
    (sum, { cluster, idle_cost_usd = 0 }) => sum + idle_cost_usd * factor(cluster),
    0,
  )
  // Rows of labels may be of several clusters.
  const hasMonth = !isPart || rows.every(({ cluster }) => cluster !== undefined)
  const measured = measuredOf(idleRows, period, Date.now())
  const partly = isPartly(measured) ? `, with usage for only ${measuredText(measured)}` : ''
  const used = groups.reduce((sum, group) => sum + group.usedCoreHours, 0)
  const requested = groups.reduce((sum, group) => sum + group.requestedCoreHours, 0)
  return (
    <dl className="tiles">
      <Tile
        label="Cost of the period"
        value={money(totalUsd)}
        note={`${period.words}${partly}${hasMonth ? `; ${money(monthUsd)} as a month of 730 hours` : ''}`}
      />
      {!isPart && <BilledTile period={period} totalUsd={totalUsd} />}
      {isBeforeUnmeasured && (
        <Tile label="Compared with the previous period" value="–" note="nothing was measured then" />
      )}
      {previous !== undefined && (
        <ComparisonTile totalUsd={totalUsd} measured={measured} previous={previous} />
      )}
      {!isPart && (
        <Tile
          label="Idle"
          value={money(idleUsd)}
          note={
            totalUsd === 0
              ? undefined
              : `${period.words}; ${money(idleMonthUsd)} per month. ${percent((100 * idleUsd) / totalUsd)} of the cost: capacity of nodes and machines that no container or process uses`
          }
        />
      )}
      {forecast !== undefined && <ForecastTile of={forecast} />}
      <Tile
        label="CPU used of requested"
        value={requested === 0 ? '–' : share(used / requested)}
        note="share of the requested cores that containers used"
      />
    </dl>
  )
}

/** A smaller change is shown as 0.0%. */
const leastChange = 0.05

interface ComparisonProps {
  readonly totalUsd: number
  readonly measured: Measured
  readonly previous: PreviousPeriod
}

function ComparisonTile({ totalUsd, measured, previous }: ComparisonProps) {
  const beforeUsd = costUsdOf(previous.rows) + idleUsdOf(previous.idleRows)
  const change = changeOf([totalUsd, measured], [beforeUsd, previous.measured])
  return (
    <Tile
      label="Compared with the previous period"
      value={change === undefined ? '–' : signedPercent(change)}
      note={previousNote(change, measured, [beforeUsd, previous.measured])}
      tone={change === undefined || Math.abs(change) < leastChange ? undefined : change < 0 ? 'good' : 'bad'}
    />
  )
}
