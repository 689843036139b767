import { hoursPerMonth } from '../app/measured-hours.ts'
import type { Period } from '../app/period.ts'
import type { useMachineMetadata } from '../machines/queries.ts'
import { counted, money, share } from '../parts/figures.ts'
import { Tile } from '../parts/tile.tsx'
import type { AdvicePage, useBestRecommendations } from '../recommendations/queries.ts'
import { advicePeriod } from '../recommendations/words.ts'
import type { figuresOf } from './figures-of.ts'
import type { useSources } from './queries.ts'

interface Props {
  readonly figures: ReturnType<typeof figuresOf>
  readonly advice: ReturnType<typeof useBestRecommendations>
  readonly sources: ReturnType<typeof useSources>['data']
  readonly machines: ReturnType<typeof useMachineMetadata>['rows']
  readonly period: Period
}

/** Shows spend, possible savings and efficiency of clusters, and the spend of machines if there are any. */
export function OverviewTiles({ figures, advice, sources, machines = [], period }: Props) {
  const silent = new Set(
    sources?.filter(({ kind, is_silent }) => kind === 'machine' && is_silent).map(({ name }) => name),
  )
  const active = machines.filter(({ name }) => !silent.has(name))
  const perMonth = (of: typeof active): number =>
    of.reduce((sum, { costPerHour }) => sum + (costPerHour ?? 0) * hoursPerMonth, 0)
  const estimated = perMonth(active.filter(({ priceSource }) => priceSource === 'base'))
  const saved = advice.data?.totals.worth_per_month
  return (
    <dl className="tiles">
      <Tile
        label="Spend"
        value={money(figures.perMonth)}
        note={`per month, by ${period.words}; idle nodes ${money(figures.idlePerMonth)}`}
      />
      <Tile
        label="Possible savings"
        value={saved === undefined ? '…' : money(saved)}
        note={advice.data === undefined ? 'being computed' : savingsNote(advice.data.totals)}
        tone={saved !== undefined && saved > 0 ? 'good' : undefined}
      />
      <Tile
        label="Efficiency"
        value={share(figures.efficiency)}
        note={`of the cost pays for used capacity; CPU ${share(figures.cpu)}, memory ${share(figures.memory)} of requests`}
      />
      {machines.length > 0 && (
        <Tile
          label="Machines"
          value={money(perMonth(active))}
          note={machinesNote(active.length, estimated)}
        />
      )}
    </dl>
  )
}

/** Savings on nodes of clusters are not added, because the savings of containers are a part of them. */
function savingsNote({ count, nodes_per_month }: AdvicePage['totals']): string {
  const recommendations = `per month, by the ${advicePeriod}, ${counted(count, 'recommendation')}`
  return nodes_per_month > 0
    ? `${recommendations}; not included: ${money(nodes_per_month)} on cluster nodes`
    : recommendations
}

function machinesNote(reporting: number, estimatedPerMonth: number): string {
  const machines = `per month in addition, ${counted(reporting, 'reporting machine')}`
  return estimatedPerMonth > 0
    ? `${machines}; ${money(estimatedPerMonth)} is estimated at base rates`
    : machines
}
