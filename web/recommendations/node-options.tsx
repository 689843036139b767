import type { ReactNode } from 'react'
import { Badge } from '../parts/badge.tsx'
import { CopyText } from '../parts/copy.tsx'
import { type ExportFile, ExportMenu } from '../parts/export-menu.tsx'
import { cores, count, gib, money, percent, share, textWithAmounts } from '../parts/figures.ts'
import type { Explained } from './queries.ts'

type Nodes = Pick<
  NonNullable<Explained['nodes']>,
  'nodes' | 'options' | 'recommended' | 'cost_per_month' | 'reasons'
>
type Pool = Nodes['nodes'][number] | Nodes['options'][number]['pools'][number]

const effortWords: Readonly<Record<string, string>> = {
  fewer: 'Fewer of the same nodes',
  resize: 'Other nodes',
  region: 'Another region',
  provider: 'Another provider',
}

/** The nodes of a cluster now and with each option, as boxes that are filled as far as pods request. */
export function NodeOptions({
  of: { nodes, options, recommended, cost_per_month, reasons },
  filesOf,
}: {
  of: Nodes
  /** Files in which an option can be taken away. */
  filesOf?: (option: Nodes['options'][number]) => readonly ExportFile[]
}) {
  const recommendedFirst = [...options].sort(
    (one, other) => Number(other.id === recommended) - Number(one.id === recommended),
  )
  const now = nodes.map((pool) => ({ pool, filled: pool.requested ?? undefined }))
  return (
    <section className="node-options" aria-label="Nodes">
      <NodeSet title="Now" cost={cost_per_month.now} pools={now} />
      {recommendedFirst.map((option) => (
        <NodeSet
          key={option.id}
          title={titleOf(option)}
          cost={option.cost_per_month}
          pools={option.pools.map((pool) => ({ pool, filled: option.requested }))}
          saves={option.savings.percentage}
          text={option.needs_sizes ? `${option.why} Resize the containers first.` : option.why}
        >
          <details open={option.id === recommended && filesOf === undefined}>
            <summary>What to do, in order</summary>
            <ol>
              {option.steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
            {option.commands.length > 0 && <CopyText wrapped text={option.commands.join('\n')} />}
          </details>
          {filesOf !== undefined && <ExportMenu files={filesOf(option)} />}
        </NodeSet>
      ))}
      {reasons.length > 0 && <p className="note">{textWithAmounts(reasons.join(' '))}</p>}
    </section>
  )
}

function titleOf({ effort, spot_share, pools: [first] }: Nodes['options'][number]): string {
  const place =
    effort === 'region'
      ? `: ${first?.region}`
      : effort === 'provider'
        ? `: ${first?.provider} ${first?.region}`
        : ''
  return `${effortWords[effort] ?? effort}${place}${spot_share > 0 ? ', partly on spot' : ''}`
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
  readonly children?: ReactNode
}

function NodeSet({ title, cost, pools, saves, text, children }: SetProps) {
  // What an option requests is known for all its pools together.
  const together = pools.length > 1 && saves !== undefined ? pools[0]!.filled : undefined
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
          isSaid={together === undefined}
        />
      ))}
      {together !== undefined && <p className="note">All pools together, {requestedText(together)}.</p>}
      {text !== undefined && <p className="note">{text}</p>}
      {children}
    </div>
  )
}

const requestedText = ({ cpu, memory }: { cpu: number; memory: number }): string =>
  `requested: CPU ${share(cpu)}, memory ${share(memory)}`

const maxBoxes = 48

function NodePool({ pool, filled, isSaid }: SetProps['pools'][number] & { readonly isSaid: boolean }) {
  const { mean_count: mean, count_by_hour_of_week: byHour = [] } = pool
  const most = Math.ceil(Math.max(pool.count, ...byHour.map((nodes) => nodes ?? 0)))
  const more = most - maxBoxes
  return (
    <div className="node-pool">
      <span>
        <b>
          {mean === undefined ? count(pool.count) : mean.toFixed(1)} x {pool.instance_type ?? 'unknown type'}
        </b>{' '}
        <span className="note">
          {mean !== undefined && `on average, at most ${count(most)}; `}
          {cores(pool.cpu_cores)}
          {pool.shared_vcpus && ' with shared vCPUs'}
          {pool.usage_type === 'SPOT_PREEMPTIBLE' && ' on spot'}, {gib(pool.memory_gib)}
          {isSaid && filled !== undefined && `; ${requestedText(filled)}`}
        </span>
      </span>
      <span className="node-boxes" aria-hidden="true">
        {Array.from({ length: Math.min(most, maxBoxes) }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: nodes of a pool are all the same
          <span key={i} className="node-box">
            <i style={{ height: share(Math.min(1, filled?.cpu ?? 0)) }} />
            <i style={{ height: share(Math.min(1, filled?.memory ?? 0)) }} />
          </span>
        ))}
        {more > 0 && <span className="note">and {count(more)} more</span>}
      </span>
      {mean !== undefined && (
        <svg
          className="node-week"
          viewBox={`0 0 ${byHour.length} ${most}`}
          preserveAspectRatio="none"
          role="img"
          aria-label="Nodes by hour of the week, from Monday 00:00 UTC"
        >
          <path d={byHour.map((nodes, hour) => `M${hour} ${most}h1v${-(nodes ?? 0)}h-1z`).join('')} />
        </svg>
      )}
    </div>
  )
}
