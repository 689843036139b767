import { counted, money, share } from '../parts/figures.ts'
import { Link } from '../parts/link.tsx'
import { Tile } from '../parts/tile.tsx'
import type { useBestRecommendations } from '../recommendations/best-recommendations.ts'
import type { RecommendationPage } from '../recommendations/queries.ts'
import { recommendationPeriod } from '../recommendations/words.ts'
import { addressOf } from '../state/router.ts'
import type { Period } from '../usage/period.ts'
import { faultsOf, type UsageSource } from '../usage/sources.ts'
import type { figuresOf, MachineSpend } from './figures-of.ts'

interface Props {
  readonly figures: ReturnType<typeof figuresOf>
  readonly recommendations: ReturnType<typeof useBestRecommendations>
  readonly sources: readonly UsageSource[] | undefined
  readonly machines: MachineSpend
  readonly period: Period
}

/** Shows the spend of clusters and machines, possible savings, efficiency of clusters, and whether usage arrives. */
export function OverviewTiles({ figures, recommendations, sources, machines, period }: Props) {
  const saved = recommendations.data?.totals.savings.total_per_month
  return (
    <dl className="tiles">
      <Tile
        label="Spend"
        value={money(figures.perMonth + machines.perMonth)}
        note={[
          `a month of 730 hours at the rate of ${period.words}; idle nodes ${money(figures.idlePerMonth)}`,
          ...(figures.otherPerMonth > 0 ? [`volumes and other charges ${money(figures.otherPerMonth)}`] : []),
          ...(machines.reporting > 0
            ? [`${counted(machines.reporting, 'machine')} ${money(machines.perMonth)}`]
            : []),
        ].join(', ')}
      />
      <Tile
        label="Possible savings"
        value={recommendations.isPending ? '…' : money(saved)}
        note={
          recommendations.isPending
            ? 'being computed'
            : recommendations.data === undefined
              ? 'could not be loaded'
              : savingsNote(recommendations.data)
        }
        tone={saved !== undefined && saved > 0 ? 'good' : undefined}
      />
      <Tile
        label="Efficiency"
        value={share(figures.efficiency)}
        note={
          figures.efficiency === undefined
            ? 'no cluster has reported usage'
            : `of the cost of clusters pays for used capacity; CPU ${share(figures.cpu)}, memory ${share(figures.memory)} of requests`
        }
      />
      {sources !== undefined && sources.length > 0 && <SourcesTile of={sources} />}
    </dl>
  )
}

/** How many of the senders of usage work, with the way to their health. */
function SourcesTile({ of }: { of: readonly UsageSource[] }) {
  const sending = of.filter(({ is_silent }) => !is_silent)
  const troubled = sending.filter((source) => faultsOf(source).length > 0).length
  const silent = of.length - sending.length
  const said = [
    ...(silent > 0 ? [`${silent} silent`] : []),
    ...(troubled > 0 ? [`${troubled} with a problem`] : []),
  ]
  return (
    <Tile
      label="Sources of usage"
      value={`${sending.length} of ${of.length}`}
      note={
        <>
          sending{said.length > 0 && `; ${said.join(', ')}`}.{' '}
          <Link href={`${addressOf(['settings'])}#sources-title`}>Details</Link>
        </>
      }
      tone={said.length > 0 ? undefined : 'good'}
    />
  )
}

function savingsNote({ totals: { count, savings } }: RecommendationPage): string {
  const recommendations = `per month, from the ${recommendationPeriod}, ${counted(count - savings.raises_count, 'recommendation that saves', 'recommendations that save')}`
  return savings.raises_count > 0
    ? `${recommendations}; ${savings.raises_count} more for reliability cost ${money(savings.raises_per_month)}`
    : recommendations
}
