import '../styles/overview.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { catalogueQuery } from '../api/catalogue-query.ts'
import { useMachineMetadata } from '../machines/queries.ts'
import { money } from '../parts/figures.ts'
import { Link } from '../parts/link.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { SpendList } from '../parts/spend-list.tsx'
import { Notice, Skeleton, Trouble } from '../parts/states.tsx'
import { Term } from '../parts/term.tsx'
import { useBestRecommendations } from '../recommendations/best-recommendations.ts'
import { recommendationPeriod } from '../recommendations/words.ts'
import { addressOf, usePlace } from '../state/router.ts'
import { outsideClusters, useClusterCosts } from '../usage/cluster-costs.ts'
import { measuredHours, monthlyFactors } from '../usage/measured-hours.ts'
import { barParams, type Period, useCluster, usePeriod } from '../usage/period.ts'
import { silentMachines } from '../usage/silent-machines.ts'
import { useSources } from '../usage/sources.ts'
import { Attention } from './attention.tsx'
import { attentionItems } from './attention-items.ts'
import { BestRecommendations } from './best-recommendations.tsx'
import { Checklist } from './checklist.tsx'
import { figuresOf, type MachineSpend, machineSpendOf, spendBy, spendByDay } from './figures-of.ts'
import { OverviewTiles } from './overview-tiles.tsx'
import { useNamespaceCosts, useSettings } from './queries.ts'
import { Trend } from './trend.tsx'

const dayMs = 86_400_000
const trendDays = 30
const best = 10
const maxNamespaces = 8

/** Shows where the money goes, what could be saved, and what needs attention. */
export default function OverviewPage() {
  const period = usePeriod()
  const cluster = useCluster()
  const costs = useClusterCosts(period)
  const trend = useClusterCosts(trendPeriod(period))
  const namespaces = useNamespaceCosts(period, cluster)
  const recommendations = useBestRecommendations(cluster === undefined ? {} : { cluster }, best)
  // A period without usage is not a new installation if there was usage before.
  const isEmpty = [costs, trend].every(({ data }) => data?.every((row) => row.cluster === outsideClusters))
  const sources = useSources(isEmpty)
  const machines = useMachineMetadata()
  const settings = useSettings()
  const { params } = usePlace()
  const kept = barParams(params)

  // An installation with recommendations for machines and without a cluster is not new.
  const hasRecommendations = (recommendations.data?.totals.count ?? 0) > 0
  const isWaiting = isEmpty && !hasRecommendations
  const queries = useQueryClient()
  // biome-ignore lint/correctness/useExhaustiveDependencies: repeated whenever the sources were loaded
  useEffect(() => {
    const others = {
      predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== 'sources',
    }
    if (isWaiting) void queries.invalidateQueries(others, { cancelRefetch: false })
  }, [isWaiting, sources.dataUpdatedAt])

  const rows = useMemo(
    () =>
      costs.data?.filter((row) =>
        cluster === undefined ? row.cluster !== outsideClusters : row.cluster === cluster,
      ),
    [costs.data, cluster],
  )
  if (costs.error !== null && costs.data === undefined) {
    return (
      <>
        <PageHead title="Overview" />
        <Trouble error={costs.error} again={() => void costs.refetch()} />
      </>
    )
  }
  if (rows === undefined || sources.isPending) {
    return (
      <>
        <PageHead title="Overview" />
        <Skeleton lines={10} label="Calculating costs" />
      </>
    )
  }
  const hours = measuredHours(rows)
  const isNew = isWaiting || (rows.length > 0 && hours < 6 && recommendations.data?.totals.count === 0)
  const hasMachines = (machines.rows?.length ?? 0) > 0
  return (
    <>
      <PageHead title="Overview" />
      {isNew && (
        <Checklist
          isConnected={
            rows.length > 0 || (sources.data?.length ?? 0) > (settings.data?.measures_own_host ? 1 : 0)
          }
          hasCluster={rows.length > 0 || (sources.data?.some(({ kind }) => kind === 'cluster') ?? false)}
          hasSamples={rows.length > 0 || hasMachines}
          hours={hours}
          sources={sources.data ?? []}
        />
      )}
      {rows.length === 0 && !isEmpty && (
        <Notice tone="warning" title="No usage in this period">
          No container {cluster === undefined ? '' : `of cluster ${cluster} `}reported usage. Choose other
          dates{cluster === undefined ? '.' : ', or another cluster.'}
        </Notice>
      )}
      {(!isEmpty || hasMachines) && (
        <Contents
          {...{ rows, trend, cluster, namespaces, recommendations, sources: sources.data, kept, period }}
          machines={machines.hasNextPage ? undefined : machines.rows}
        />
      )}
    </>
  )
}

interface ContentsProps {
  readonly rows: NonNullable<ReturnType<typeof useClusterCosts>['data']>
  readonly trend: ReturnType<typeof useClusterCosts>
  readonly cluster: string | undefined
  readonly namespaces: ReturnType<typeof useNamespaceCosts>
  readonly recommendations: ReturnType<typeof useBestRecommendations>
  readonly sources: ReturnType<typeof useSources>['data']
  readonly machines: ReturnType<typeof useMachineMetadata>['rows']
  readonly kept: URLSearchParams
  readonly period: Period
}

function Contents(props: ContentsProps) {
  const { rows, trend, cluster, namespaces, recommendations, sources, machines, kept, period } = props
  const figures = useMemo(() => figuresOf(rows), [rows])
  const spend = useMemo(() => {
    const silentSince = silentMachines(sources)
    // A machine belongs to no cluster.
    return machineSpendOf(cluster === undefined ? (machines ?? []) : [], (name) => silentSince.has(name))
  }, [machines, sources, cluster])
  const { data: catalogue } = useQuery(catalogueQuery)
  const now = Date.now()
  const known = {
    sources,
    figures,
    machines: spend,
    recommendations: recommendations.data,
    catalogue,
    now,
    kept,
  }
  return (
    <>
      <OverviewTiles {...{ figures, recommendations, sources, period }} machines={spend} />
      <div className="overview">
        <TrendCard {...{ trend, cluster, now, period }} />
        <section className="card">
          <div className="card-head">
            <h2>Needs attention</h2>
          </div>
          <Attention
            items={attentionItems(known)}
            unchecked={
              recommendations.isPending
                ? 'Calculating…'
                : recommendations.data === undefined || sources === undefined
                  ? 'Not everything could be checked.'
                  : undefined
            }
          />
        </section>
        <section className="card">
          <div className="card-head">
            <h2>
              Top recommendations <span className="note">{recommendationPeriod}</span>
            </h2>
            <Link href={addressOf(['recommendations'], kept)}>All recommendations</Link>
          </div>
          <BestRecommendations asked={recommendations} kept={kept} />
        </section>
        <div className="overview-side">
          <ClusterSpendCard rows={rows} kept={kept} machines={spend} />
          <NamespaceSpendCard {...{ rows, namespaces, kept }} />
        </div>
      </div>
    </>
  )
}

interface TrendProps extends Pick<ContentsProps, 'trend' | 'cluster' | 'period'> {
  readonly now: number
}

function TrendCard({ trend, cluster, now, period }: TrendProps) {
  return (
    <section className="card trend-card">
      <div className="card-head">
        <h2>Cost per day</h2>
        <span className="note">{trendWords(period)}</span>
      </div>
      {trend.isPending && <p className="note">Calculating…</p>}
      {trend.error !== null && trend.data === undefined && (
        <Trouble error={trend.error} again={() => void trend.refetch()} />
      )}
      {trend.data !== undefined && (
        <Trend
          days={spendByDay(
            trend.data.filter((row) => cluster === undefined || row.cluster === cluster),
            now,
          )}
        />
      )}
    </section>
  )
}

function ClusterSpendCard({
  rows,
  kept,
  machines,
}: Pick<ContentsProps, 'rows' | 'kept'> & { machines: MachineSpend }) {
  const clusters = spendBy(rows).map(({ cluster, perMonth }) => ({
    id: cluster,
    name: cluster,
    perMonth,
    href: addressOf(['workloads', cluster], kept),
  }))
  return (
    <section className="card">
      <div className="card-head">
        <h2>
          <Term of="spend">Spend</Term> by cluster
        </h2>
        <span className="note">per month</span>
      </div>
      <SpendList
        label="Spend by cluster"
        items={[...clusters, ...machineItems(machines, kept)].sort((a, b) => b.perMonth - a.perMonth)}
      />
    </section>
  )
}

/** The page of machines counts silent ones too, so its sum is larger by their amount. */
function machineItems(of: MachineSpend, kept: URLSearchParams) {
  if (of.reporting + of.silent === 0) return []
  const amount = of.silentPerMonth > 0 ? ` (${money(of.silentPerMonth)})` : ''
  const note = of.silent === 0 ? undefined : `without ${of.silent} silent${amount}`
  return [{ id: '', name: 'Machines', note, perMonth: of.perMonth, href: addressOf(['machines'], kept) }]
}

function NamespaceSpendCard({ rows, namespaces, kept }: Pick<ContentsProps, 'rows' | 'namespaces' | 'kept'>) {
  const items =
    namespaces.data &&
    spendBy(
      namespaces.data.filter(({ namespace }) => namespace),
      monthlyFactors(rows),
    )
      .slice(0, maxNamespaces)
      .map(({ cluster, namespace = '', perMonth }) => ({
        id: `${cluster}\n${namespace}`,
        name: namespace,
        note: cluster,
        perMonth,
        href: addressOf(['workloads', cluster, namespace], kept),
      }))
  return (
    <section className="card">
      <div className="card-head">
        <h2>By namespace</h2>
        <span className="note">per month</span>
      </div>
      {namespaces.isPending && <p className="note">Calculating…</p>}
      {namespaces.error !== null && (
        <Trouble error={namespaces.error} again={() => void namespaces.refetch()} />
      )}
      {items?.length === 0 && <p className="note">No namespace has reported usage.</p>}
      {items !== undefined && <SpendList label="Spend by namespace" items={items} />}
    </section>
  )
}

/** The trend covers thirty days, or the chosen period if it is longer. */
function trendPeriod({ start_date, end_date }: Period): Pick<Period, 'start_date' | 'end_date'> {
  const thirty = new Date(Date.parse(end_date) - trendDays * dayMs).toISOString()
  return { start_date: start_date < thirty ? start_date : thirty, end_date }
}

const trendWords = ({ days, words }: Period): string => (days > trendDays ? words : `${trendDays} days`)
