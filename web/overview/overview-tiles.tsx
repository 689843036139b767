import type { useMachineMetadata } from '../machines/queries.ts'
import { counted, money, share } from '../parts/figures.ts'
import { Tile } from '../parts/tile.tsx'
import type { AdvicePage, useBestRecommendations } from '../recommendations/queries.ts'
import { advicePeriod } from '../recommendations/words.ts'
import type { Period } from '../usage/period.ts'
import { silentMachines } from '../usage/silent-machines.ts'
import type { UsageSource } from '../usage/sources.ts'
import type { figuresOf } from './figures-of.ts'

interface Props {
  readonly figures: ReturnType<typeof figuresOf>
  readonly advice: ReturnType<typeof useBestRecommendations>
  readonly sources: readonly UsageSource[] | undefined
  readonly machines: ReturnType<typeof useMachineMetadata>['rows']
  readonly period: Period
}

/** Shows spend, possible savings and efficiency of clusters, and the spend of machines if there are any. */
export function OverviewTiles({ figures, advice, sources, machines = [], period }: Props) {
  const silentSince = silentMachines(sources)
  const active = machines.filter(({ name }) => !silentSince.has(name))
  const silent = machines.filter(({ name }) => silentSince.has(name))
  const perMonth = (of: typeof active): number =>
    of.reduce((sum, { costPerMonth }) => sum + (costPerMonth ?? 0), 0)
  const estimated = perMonth(active.filter(({ priceSource }) => priceSource === 'base'))
  const saved = advice.data?.totals.savings.total_per_month
  return (
    <dl className="tiles">
      <Tile
        label="Spend"
        value={money(figures.perMonth)}
        note={`monthly rate of ${period.words}; idle nodes ${money(figures.idlePerMonth)}`}
      />
      <Tile
        label="Possible savings"
        value={advice.isPending ? '…' : money(saved)}
        note={
          advice.isPending
            ? 'being computed'
            : advice.data === undefined
              ? 'could not be loaded'
              : savingsNote(advice.data)
        }
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
          note={`${machinesNote(active.length, estimated)}${silentNote(silent.length, perMonth(silent))}`}
        />
      )}
    </dl>
  )
}

function savingsNote({ totals: { count, savings } }: AdvicePage): string {
  const recommendations = `per month, from the ${advicePeriod}, ${counted(count - savings.raises_count, 'recommendation')}`
  return savings.raises_count > 0
    ? `${recommendations}; reliability costs ${money(savings.raises_per_month)} more`
    : recommendations
}

function machinesNote(reporting: number, estimatedPerMonth: number): string {
  const machines = `per month in addition, ${counted(reporting, 'reporting machine')}`
  return estimatedPerMonth > 0
    ? `${machines}; ${money(estimatedPerMonth)} is estimated at base rates`
    : machines
}

/** The page of machines counts silent ones too, so its sum is larger by this amount. */
function silentNote(silent: number, perMonth: number): string {
  if (silent === 0) return ''
  const amount = perMonth > 0 ? ` of ${money(perMonth)}` : ''
  return `; not included: ${counted(silent, 'silent machine')}${amount}`
}
