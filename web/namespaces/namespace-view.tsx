import { useMemo } from 'react'
import { Badge } from '../parts/badge.tsx'
import { Breadcrumb } from '../parts/breadcrumb.tsx'
import { cores, count, counted, gib, money, percent } from '../parts/figures.ts'
import { PageHead } from '../parts/page-head.tsx'
import { Empty, Skeleton, Trouble } from '../parts/states.tsx'
import { DataTable } from '../parts/table/data-table.tsx'
import { Term } from '../parts/term.tsx'
import { Tile } from '../parts/tile.tsx'
import { Updating } from '../parts/updating.tsx'
import { addressOf, setParams, usePlace } from '../state/router.ts'
import { hoursPerMonth } from '../usage/measured-hours.ts'
import { leastSure } from './attention.tsx'
import { containerColumns } from './container-columns.tsx'
import { ContainerView } from './container-view.tsx'
import { keptParams } from './kept-params.ts'
import { Manifests } from './manifests.tsx'
import { ProfileChoice } from './profile.tsx'
import { type Namespace, useNamespace } from './queries.ts'
import { RiskRefused } from './risk-refused.tsx'
import { riskRefused } from './risk-words.ts'
import { savingTone } from './saving.tsx'
import { type SizingPreference, useSizingPreference } from './sizing-preference.ts'

interface Props {
  readonly cluster: string
  readonly namespace: string
}

export function NamespaceView({ cluster, namespace }: Props) {
  const { params } = usePlace()
  const preference = useSizingPreference()
  const asked = useNamespace(cluster, namespace, preference)
  const refused = riskRefused(asked.error)
  const workload = params.get('container')?.split('/').slice(0, 2).join('/')
  return (
    <>
      <Breadcrumb
        crumbs={[
          { name: 'Workloads', href: addressOf(['workloads'], withCluster(params, undefined)) },
          { name: cluster, href: addressOf(['workloads', cluster], keptParams(params)) },
          {
            name: namespace,
            href:
              workload === undefined
                ? undefined
                : addressOf(['workloads', cluster, namespace], keptParams(params)),
          },
          ...(workload === undefined ? [] : [{ name: workload }]),
        ]}
      />
      <PageHead title={namespace} text={`Namespace of cluster ${cluster}`}>
        <ProfileChoice />
      </PageHead>
      {asked.isPending && <Skeleton lines={8} label="Calculating sizes" />}
      {refused !== undefined && <RiskRefused why={refused} />}
      {asked.error !== null && refused === undefined && asked.data === undefined && (
        <Trouble error={asked.error} again={() => void asked.refetch()} />
      )}
      <Updating isOld={asked.isPlaceholderData} label="Calculating sizes">
        {asked.data === null && (
          <Empty
            icon="boxes"
            title="No usage in this period"
            text="No container of this namespace reported usage. Choose a longer period."
          />
        )}
        {asked.data !== undefined && asked.data !== null && <Sizes of={asked.data} preference={preference} />}
      </Updating>
    </>
  )
}

function Sizes({ of, preference }: { of: Namespace; preference: SizingPreference }) {
  const rows = useMemo(
    () =>
      Object.entries(of.ContainerRecommendations).map(([id, container]) => ({
        ...container,
        id,
        CurrentSpend: (container.CurrentSpend * hoursPerMonth) / of.MeasuredHours,
        NewSpend: (container.NewSpend * hoursPerMonth) / of.MeasuredHours,
      })),
    [of],
  )
  const { params } = usePlace()
  const largest = rows.reduce((best, row) => (worth(row) > worth(best) ? row : best), rows[0]!)
  const open = rows.find(({ id }) => id === params.get('container')) ?? largest
  const columns = useMemo(
    () => containerColumns((id) => setParams({ container: id }, 'push'), open?.id),
    [open?.id],
  )
  const saved = of.MonthlySavings
  const quota = of.ResourceQuotaRecommendations

  return (
    <>
      <dl className="tiles">
        <Tile
          label="New spend"
          value={money(of.MonthlyNewSpend)}
          note={`now ${money(of.MonthlyCurrentSpend)}, monthly rate of ${preference.period.words}`}
        />
        <Tile
          label={saved < 0 ? 'More needed' : 'Savings'}
          value={money(Math.abs(saved))}
          note={
            of.MonthlyCurrentSpend > 0
              ? `per month, ${percent((100 * Math.abs(saved)) / of.MonthlyCurrentSpend)}`
              : undefined
          }
          tone={savingTone(saved)}
        />
        <Tile
          label="CPU requested"
          value={cores(of.TotalCPURequests - of.TotalCPURequestsSavings)}
          note={`now ${cores(of.TotalCPURequests)}, ${percent(of.CurrentUtilisationPercent.cpu)} used; expected afterwards: ${percent(of.ExpectedUtilisationPercent.cpu)}`}
        />
        <Tile
          label="Memory requested"
          value={gib(of.TotalMemoryRequests - of.TotalMemoryRequestsSavings)}
          note={`now ${gib(of.TotalMemoryRequests)}, ${percent(of.CurrentUtilisationPercent.memory)} used; expected afterwards: ${percent(of.ExpectedUtilisationPercent.memory)}`}
        />
        <Tile
          label="Quota"
          value={cores(quota.CPU.Recommended)}
          note={
            quota.CPU.Current === 0 && quota.Memory.Current === 0
              ? `${gib(quota.Memory.Recommended)}; none is set now`
              : `${gib(quota.Memory.Recommended)}; now ${cores(quota.CPU.Current)}, ${gib(quota.Memory.Current)}`
          }
        />
      </dl>
      <p className="note">
        Prices: {of.Prices.map(priceWords).join(', ') || 'base rates, an estimate'}.{' '}
        {of.EstimatedSpend > 0 && (
          <>
            <Badge tone="warn">
              {percent((100 * of.EstimatedSpend) / of.CurrentSpend)} of the spend is an estimate
            </Badge>{' '}
            at <Term of="base rates">base rates</Term>.{' '}
          </>
        )}
        {of.Notes.join(' ')}
      </p>
      <h2 className="section-title">{counted(rows.length, 'container')}</h2>
      <DataTable
        name="containers"
        caption="Containers"
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        firstSort={mostSavedFirst}
        pageSize={10}
        rowClass={({ id }) => (id === open?.id ? 'chosen' : undefined)}
      />
      {open !== undefined && (
        <ContainerView of={open} cluster={of.Cluster} namespace={of.Namespace} period={preference.period} />
      )}
      <Manifests
        cluster={of.Cluster}
        namespace={of.Namespace}
        preference={preference}
        containers={rows.length}
        unsure={rows.filter(({ Confidence }) => Confidence < leastSure).length}
      />
    </>
  )
}

function withCluster(params: URLSearchParams, cluster: string | undefined): URLSearchParams {
  const kept = keptParams(params)
  kept.delete('cluster')
  if (cluster !== undefined) kept.set('cluster', cluster)
  return kept
}

/** Returns text such as "list prices of 2026-11-14 (3 nodes)". */
const priceWords = ({ Source, Date: day, Nodes }: Namespace['Prices'][number]) =>
  `${sourceNames[Source]}${day === null ? '' : ` of ${day}`} (${Nodes === 1 ? 'one node' : `${count(Nodes)} nodes`})`
const sourceNames = {
  list: 'list prices',
  rule: 'list prices with your rules',
  own: 'your own prices',
  metric: 'prices reported by OpenCost',
  base: 'base rates',
}
const worth = ({ CurrentSpend, NewSpend }: { CurrentSpend: number; NewSpend: number }) =>
  CurrentSpend - NewSpend
const mostSavedFirst = { id: 'savings', desc: true }
