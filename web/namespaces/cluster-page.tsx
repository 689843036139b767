import { useQuery } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'
import { Breadcrumb } from '../parts/breadcrumb.tsx'
import { cores, counted, gib, money, percent, share } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { Segmented } from '../parts/inputs/inputs.tsx'
import { Link } from '../parts/link.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Empty, Notice, Skeleton, Trouble } from '../parts/states.tsx'
import { Tile } from '../parts/tile.tsx'
import { Updating } from '../parts/updating.tsx'
import { DecisionCard } from '../recommendations/decision-card.tsx'
import { NodeOptions } from '../recommendations/node-options.tsx'
import { addressOf, setParams, usePlace } from '../state/router.ts'
import { type Period, usePeriod } from '../usage/period.ts'
import { keptParams } from './kept-params.ts'

type ClusterNodes =
  paths['/v1/cluster_recommendations']['get']['responses'][200]['content']['application/json'][number]

/** Shows the nodes of a cluster now and planned, what to decide on them, and what stands in the way. */
export function ClusterPage({ cluster }: { cluster: string }) {
  const { params } = usePlace()
  const kept = keptParams(params)
  const period = usePeriod()
  const spot = spotShares.find(([share]) => share === params.get('spot'))?.[0] ?? ''
  const query = { cluster, ...datesOf(period), ...(spot === '' ? {} : { spot: Number(spot) }) }
  const asked = useClusterNodes(query)
  const of = asked.data
  return (
    <>
      <Breadcrumb crumbs={[{ name: 'Workloads', href: addressOf(['workloads'], kept) }, { name: cluster }]} />
      <PageHead title={cluster} text="The nodes of this cluster, and the cheapest that would hold its pods.">
        <Link className="button" href={addressOf(['workloads'], withCluster(kept, cluster))}>
          <Icon name="boxes" size={16} /> Namespaces
        </Link>
      </PageHead>
      {asked.isPending && <Skeleton lines={8} label="Placing pods on nodes" />}
      {asked.error !== null && of === undefined && (
        <Trouble error={asked.error} again={() => void asked.refetch()} />
      )}
      {of === null && (
        <Empty
          icon="boxes"
          title="No nodes in this period"
          text="This cluster reported no nodes. Choose a longer period, or check that kube-state-metrics is collected."
        />
      )}
      {of != null && (
        <Updating isOld={asked.isPlaceholderData} label="Placing pods on nodes">
          <Tiles of={of} words={period.words} />
          <DecisionCard
            filter={{ kind: 'cluster', cluster }}
            isMeant={(recommendation) => recommendation.cluster === cluster}
            none="Nothing is recommended for the nodes of this cluster."
          />
          <section className="card cluster-nodes" aria-label="Nodes now and planned">
            <h2>Nodes now and planned</h2>
            <Segmented
              label="Share of the pods that tolerate it on spot nodes"
              name="spot"
              options={spotShares}
              value={spot}
              onChange={(share) => setParams({ spot: share || undefined }, 'push')}
            />
            <NodeOptions of={of} filesOf={(option) => planFiles(query, option)} />
          </section>
          <Blocks of={of} />
        </Updating>
      )}
    </>
  )
}

const spotShares = [
  ['', 'No spot nodes'],
  ['0.3', '30% on spot'],
  ['0.5', '50%'],
  ['0.7', '70%'],
] as const

interface NodesQuery extends Pick<Period, 'start_date' | 'end_date'> {
  readonly cluster: string
  readonly spot?: number
}

const datesOf = ({ start_date, end_date }: Period) => ({ start_date, end_date })

function useClusterNodes(query: NodesQuery) {
  const { cluster } = query
  return useQuery({
    queryKey: ['cluster-nodes', query],
    queryFn: async ({ signal }) => {
      const found = await answer(service.GET('/v1/cluster_recommendations', { params: { query }, signal }))
      return found.find((each) => each.cluster === cluster) ?? null
    },
    placeholderData: (before) => before,
  })
}

const planFormats = [
  ['karpenter', 'Karpenter', 'node pool for AWS', 'yaml'],
  ['eksctl', 'eksctl', 'node groups of EKS', 'yaml'],
  ['gcloud', 'gcloud', 'commands for GKE', 'sh'],
  ['az', 'az', 'commands for AKS', 'sh'],
  ['terraform', 'Terraform', 'variables', 'tfvars'],
  ['csv', 'CSV', 'pools and numbers of nodes', 'csv'],
  ['json', 'JSON', 'as the API answers', 'json'],
] as const

/** An option as the service writes it. */
const planFiles = (query: NodesQuery, { id: option, formats }: ClusterNodes['options'][number]) =>
  planFormats
    .filter(([format]) => format === 'json' || formats.includes(format))
    .map(([format, name, note, ending]) => ({
      ...{ name, note, type: 'text/plain', file: `${query.cluster}-${option}.${ending}` },
      load: async () =>
        (await answer(
          service.GET('/v1/cluster_recommendations', {
            params: { query: { ...query, format, option } },
            headers: { accept: '*/*' },
            parseAs: 'text',
          }),
        )) as unknown as string,
    }))

function Tiles({ of, words }: { of: ClusterNodes; words: string }) {
  const { now, with_sizes_and_nodes: planned, lower_bound: bound } = of.cost_per_month
  const nodes = of.nodes.reduce((sum, { count }) => sum + count, 0)
  const saved = now === null || planned === null ? 0 : now - planned
  return (
    <dl className="tiles">
      <Tile
        label="Nodes now"
        value={money(now)}
        note={`per month, ${counted(nodes, 'node')}, ${counted(of.pods, 'pod')}`}
      />
      <Tile
        label="Plan in the same region"
        value={of.recommended === null ? '–' : money(planned)}
        note={of.recommended === null ? whyNoPlan(of) : `per month, from ${words}`}
      />
      <Tile
        label="Saves"
        value={saved > 0 ? money(saved) : '–'}
        note={saved > 0 && now !== null ? `per month, ${percent((100 * saved) / now)}` : undefined}
        tone={saved > 0 ? 'good' : undefined}
      />
      <Tile
        label="Lower bound"
        value={money(bound)}
        note={
          bound === null
            ? undefined
            : `in the same region on demand, no set of these types costs less; ${share(of.confidence)} confidence`
        }
      />
    </dl>
  )
}

const whyNoPlan = ({ confidence, options }: ClusterNodes): string => {
  if (confidence < 1) return 'not every node or pod is known: see below'
  return options.length === 0 ? 'no cheaper nodes were found' : 'no cheaper nodes there; see the options'
}

/** What keeps pods from other nodes, and what to know before acting. */
function Blocks({ of: { pods_without_node: pods, notes } }: { of: ClusterNodes }) {
  if (pods.length + notes.length === 0) return null
  return (
    <section className="card cluster-blocks" aria-labelledby="blocks-title">
      <h2 id="blocks-title">Before you change nodes</h2>
      {pods.length > 0 && (
        <Notice tone="warning" title="Pods that fit on no type of node">
          <ul className="plain-list">
            {pods.map(({ workload, pods: count, cpu_cores, memory_gib }) => (
              <li key={workload}>
                {workload}: {counted(count, 'pod')} of {cores(cpu_cores)}, {gib(memory_gib)}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {notes.length > 0 && (
        <ul className="plain-list">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

function withCluster(params: URLSearchParams, cluster: string): URLSearchParams {
  const changed = new URLSearchParams(params)
  changed.set('cluster', cluster)
  return changed
}
