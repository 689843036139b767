import { Badge } from '../parts/badge.tsx'
import { cores, count, gib, money, percent, share } from '../parts/figures.ts'
import type { Explained } from './queries.ts'

type Nodes = Pick<NonNullable<Explained['nodes']>, 'nodes' | 'options' | 'cost_per_month' | 'reasons'>
type Pool = Nodes['nodes'][number] | Nodes['options'][number]['pools'][number]

const effortWords: Readonly<Record<string, string>> = {
  fewer: 'Fewer of the same nodes',
  resize: 'Other nodes',
  region: 'Another region',
  provider: 'Another provider',
}

/** The nodes of a cluster now and with each option, as boxes that are filled as far as pods request. */
export function NodeOptions({ of: { nodes, options, cost_per_month, reasons } }: { of: Nodes }) {
  const now = nodes.map((pool) => ({ pool, filled: pool.requested ?? undefined }))
  return (
    <section className="node-options" aria-label="Nodes">
      <NodeSet title="Now" cost={cost_per_month.now} pools={now} />
      {options.map(
        ({ effort, spot_share, pools, requested, cost_per_month: cost, savings, needs_sizes, why }) => (
          <NodeSet
            key={`${effort} ${spot_share} ${pools.map(({ provider, instance_type }) => `${provider} ${instance_type}`).join()}`}
            title={titleOf(effort, spot_share, pools)}
            cost={cost}
            pools={pools.map((pool) => ({ pool, filled: requested }))}
            saves={savings.percentage}
            text={needs_sizes ? `${why} Resize the containers first.` : why}
          />
        ),
      )}
      {reasons.length > 0 && <p className="note">{reasons.join(' ')}</p>}
    </section>
  )
}

function titleOf(effort: string, spotShare: number, [first]: readonly Pool[]): string {
  const place =
    effort === 'region'
      ? `: ${first?.region}`
      : effort === 'provider'
        ? `: ${first?.provider} ${first?.region}`
        : ''
  return `${effortWords[effort] ?? effort}${place}${spotShare > 0 ? ', partly on spot' : ''}`
}

interface SetProps {
  readonly title: string
  readonly cost: number | null
  readonly pools: readonly {
    readonly pool: Pool
    readonly filled: { cpu: number; memory: number } | undefined
  }[]
  readonly saves?: number
  readonly text?: string
}

function NodeSet({ title, cost, pools, saves, text }: SetProps) {
  return (
    <div className="node-set">
      <h3>
        {title} <span className="note">{money(cost)} per month</span>{' '}
        {saves !== undefined && <Badge tone="good">saves {percent(saves)}</Badge>}
      </h3>
      {pools.map(({ pool, filled }) => (
        <NodePool
          key={`${pool.instance_type} ${pool.usage_type} ${pool.region}`}
          pool={pool}
          filled={filled}
        />
      ))}
      {text !== undefined && <p className="note">{text}</p>}
    </div>
  )
}

const maxBoxes = 48

function NodePool({ pool, filled }: SetProps['pools'][number]) {
  const more = pool.count - maxBoxes
  return (
    <div className="node-pool">
      <span>
        <b>
          {count(pool.count)} x {pool.instance_type ?? 'unknown type'}
        </b>{' '}
        <span className="note">
          {cores(pool.cpu_cores)}
          {pool.shared_vcpus && ' with shared vCPUs'}, {gib(pool.memory_gib)}
          {filled !== undefined && `; requested: CPU ${share(filled.cpu)}, memory ${share(filled.memory)}`}
        </span>
      </span>
      <span className="node-boxes" aria-hidden="true">
        {Array.from({ length: Math.min(pool.count, maxBoxes) }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: nodes of a pool are all the same
          <span key={i} className="node-box">
            <i style={{ height: share(Math.min(1, filled?.cpu ?? 0)) }} />
            <i style={{ height: share(Math.min(1, filled?.memory ?? 0)) }} />
          </span>
        ))}
        {more > 0 && <span className="note">and {count(more)} more</span>}
      </span>
    </div>
  )
}
