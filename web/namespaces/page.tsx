import { useMemo } from 'react'
import '../styles/namespaces.css'
import { Badge } from '../parts/badge.tsx'
import { count, counted, money, percent } from '../parts/figures.ts'
import { Link } from '../parts/link.tsx'
import { ListStates } from '../parts/list-states.tsx'
import { PageHead } from '../parts/page-head.tsx'
import type { Column } from '../parts/table/column.ts'
import { DataTable } from '../parts/table/data-table.tsx'
import { Tile } from '../parts/tile.tsx'
import { addressOf, usePlace } from '../state/router.ts'
import { NoUsage } from '../usage/no-usage.tsx'
import { isThrottled } from './attention.tsx'
import { ClusterPage } from './cluster-page.tsx'
import { ContainerPage } from './container-page.tsx'
import { FirstUsage } from './first-usage.tsx'
import { keptParams } from './kept-params.ts'
import { NamespaceView } from './namespace-view.tsx'
import { ProfileChoice } from './profile.tsx'
import { type Container, type Namespace, useNamespaces } from './queries.ts'
import { RiskRefused } from './risk-refused.tsx'
import { riskRefused } from './risk-words.ts'
import { Saving, savingTone } from './saving.tsx'
import { useSizingPreference } from './sizing-preference.ts'

/** Shows what namespaces cost now and with the recommended sizes. */
export default function NamespacesPage({ rest }: { rest: readonly string[] }) {
  const [cluster, namespace, kind, workload, container] = rest
  if (cluster === undefined) return <Namespaces />
  if (namespace === undefined) return <ClusterPage key={cluster} cluster={cluster} />
  if (container !== undefined) {
    const of = { cluster, namespace, workload: `${kind}/${workload}`, container }
    return <ContainerPage key={rest.join('/')} {...of} />
  }
  return <NamespaceView key={`${cluster}/${namespace}`} cluster={cluster} namespace={namespace} />
}

function Namespaces() {
  const preference = useSizingPreference()
  const { period } = preference
  const list = useNamespaces(preference)
  const namespaces = list.rows
  const refused = riskRefused(list.error)
  return (
    <>
      <PageHead title="Workloads" text="Cost of containers now and at the recommended size.">
        <ProfileChoice />
      </PageHead>
      {refused !== undefined ? (
        <RiskRefused why={refused} />
      ) : (
        <ListStates
          what="namespaces"
          icon="boxes"
          progress="Calculating sizes"
          missing="This version of the service does not recommend sizes."
          list={list}
        />
      )}
      {namespaces?.length === 0 && (
        <NoUsage
          kind="cluster"
          icon="boxes"
          text={
            preference.cluster === undefined
              ? 'No container reported usage. Choose other dates.'
              : `No container of cluster ${preference.cluster} reported usage. Choose other dates, or another cluster.`
          }
        >
          <FirstUsage />
        </NoUsage>
      )}
      {namespaces !== undefined && namespaces.length > 0 && (
        <Spending namespaces={namespaces} words={period.words} isWhole={!list.hasNextPage} />
      )}
    </>
  )
}

interface SpendingProps {
  readonly namespaces: readonly Namespace[]
  readonly words: string
  /** Sums are shown once everything is loaded, so that nobody reads a partial sum. */
  readonly isWhole: boolean
}

function Spending({ namespaces, words, isWhole }: SpendingProps) {
  const { params } = usePlace()
  const sum = (of: (namespace: Namespace) => number) =>
    namespaces.reduce((total, each) => total + of(each), 0)
  const now = sum(({ MonthlyCurrentSpend }) => MonthlyCurrentSpend)
  const saved = sum(({ MonthlySavings }) => MonthlySavings)
  const period = `monthly rate of ${words}`
  const columns = useMemo(() => columnsFor(keptParams(params)), [params])
  return (
    <>
      <dl className="tiles" aria-busy={!isWhole}>
        <Tile
          label="Spend now"
          value={isWhole ? money(now) : '…'}
          note={`${period}, ${counted(namespaces.length, 'namespace')}`}
        />
        <Tile label="At the recommended size" value={isWhole ? money(now - saved) : '…'} note={period} />
        <Tile
          label={saved < 0 ? 'More needed' : 'Savings'}
          value={isWhole ? money(Math.abs(saved)) : '…'}
          note={isWhole && now > 0 ? `${percent((100 * Math.abs(saved)) / now)} of the spend` : undefined}
          tone={isWhole ? savingTone(saved) : undefined}
        />
      </dl>
      <DataTable
        name="namespaces"
        caption="Namespaces"
        columns={columns}
        rows={namespaces}
        rowId={({ Cluster, Namespace: name }) => `${Cluster}\n${name}`}
        firstSort={mostSavedFirst}
      />
    </>
  )
}

const mostSavedFirst = { id: 'savings', desc: true }

function columnsFor(params: URLSearchParams): readonly Column<Namespace>[] {
  return [
    {
      id: 'namespace',
      header: 'Namespace',
      value: ({ Namespace: name }) => name,
      cell: (row) => (
        <span className="two-lines">
          <Link href={addressOf(['workloads', row.Cluster, row.Namespace], params)}>{row.Namespace}</Link>
          <span className="instead-of-extra">{row.Cluster}</span>
          <span className="only-narrow">
            <Troubles of={row} />
          </span>
        </span>
      ),
      fill: true,
    },
    { id: 'cluster', header: 'Cluster', value: ({ Cluster }) => Cluster, extra: true },
    {
      id: 'containers',
      header: 'Containers',
      value: ({ ContainerRecommendations }) => Object.keys(ContainerRecommendations).length,
      cell: ({ ContainerRecommendations }) => count(Object.keys(ContainerRecommendations).length),
      number: true,
      minor: true,
    },
    {
      id: 'attention',
      header: 'Attention',
      value: (row) => troubles(row).join(', '),
      cell: (row) => <Troubles of={row} />,
      minor: true,
    },
    {
      id: 'now',
      header: 'Spend/month',
      unit: 'USD',
      value: ({ MonthlyCurrentSpend }) => MonthlyCurrentSpend,
      cell: ({ MonthlyCurrentSpend, EstimatedSpend }) => (
        <span className="two-lines">
          {money(MonthlyCurrentSpend)}
          {EstimatedSpend > 0 && <span>estimate</span>}
        </span>
      ),
      number: true,
    },
    {
      id: 'then',
      header: 'New spend/month',
      unit: 'USD',
      value: ({ MonthlyNewSpend }) => MonthlyNewSpend,
      cell: ({ MonthlyNewSpend }) => money(MonthlyNewSpend),
      number: true,
      extra: true,
    },
    {
      id: 'savings',
      header: 'Saves/month',
      unit: 'USD',
      value: ({ MonthlySavings }) => MonthlySavings,
      cell: ({ MonthlySavings, MonthlyCurrentSpend }) => (
        <Saving amount={MonthlySavings} of={MonthlyCurrentSpend} />
      ),
      number: true,
    },
    {
      id: 'cpu',
      header: 'CPU used',
      unit: '%',
      value: ({ CurrentUtilisationPercent: { cpu } }) => cpu,
      cell: ({ CurrentUtilisationPercent: { cpu } }) => percent(cpu),
      number: true,
      minor: true,
    },
    {
      id: 'memory',
      header: 'Memory used',
      unit: '%',
      value: ({ CurrentUtilisationPercent: { memory } }) => memory,
      cell: ({ CurrentUtilisationPercent: { memory } }) => percent(memory),
      number: true,
      minor: true,
    },
  ]
}

function Troubles({ of }: { of: Namespace }) {
  return (
    <span className="badges tight">
      {troubles(of).map((trouble) => (
        <Badge key={trouble} tone={trouble.endsWith('OOM') ? 'bad' : 'warn'}>
          {trouble}
        </Badge>
      ))}
    </span>
  )
}

/** Returns texts such as "2 OOM" and "1 leak". */
function troubles({ ContainerRecommendations }: Namespace): string[] {
  const containers = Object.values(ContainerRecommendations)
  const of = (test: (container: Container) => boolean, name: string) => {
    const found = containers.filter(test).length
    return found === 0 ? [] : [`${count(found)} ${name}`]
  }
  return [
    ...of(({ OOMKills }) => OOMKills > 0, 'OOM'),
    ...of(({ MemoryLeak }) => MemoryLeak, 'leak'),
    ...of(isThrottled, 'throttled'),
  ]
}
