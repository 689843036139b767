import { Rehost } from '../machines/rehost.tsx'
import { Estimates } from '../namespaces/estimates.tsx'
import { UsageOverTime } from '../namespaces/usage-over-time.tsx'
import { Badge } from '../parts/badge.tsx'
import { counted, cpuRequest, day, memoryRequest, money, share, textWithAmounts } from '../parts/figures.ts'
import { Term } from '../parts/term.tsx'
import { riskTone, riskWords } from './facet-words.ts'
import { NodeOptions } from './node-options.tsx'
import type { Explained, Recommendation } from './queries.ts'
import { RecommendationState } from './recommendation-state.tsx'
import { sizeWords } from './words.ts'

/** What is recommended in figures, why, and what it is based on once that has been loaded. */
export function RecommendationCase({
  recommendation,
  explained,
}: {
  recommendation: Recommendation
  explained: Explained | undefined
}) {
  const { risk, confidence, effort, replicas, reasons } = recommendation
  return (
    <div className="recommendation-case">
      <SizeTable recommendation={recommendation} />
      <div className="badges">
        <Badge tone={riskTone[risk]}>{riskWords[risk]} risk</Badge>
        <Badge>{share(confidence)} confidence</Badge>
        <Badge>{effort} effort</Badge>
        {replicas !== null && <Badge>{counted(replicas, 'replica')}</Badge>}
      </div>
      <ul className="plain-list">
        {reasons.map((reason) => (
          <li key={reason}>{textWithAmounts(reason)}</li>
        ))}
      </ul>
      <p className="note">
        <Prices of={recommendation} />
      </p>
      {(recommendation.state !== 'open' || recommendation.realised !== null) && (
        <RecommendationState recommendation={recommendation} whole />
      )}
      {explained !== undefined && <Based on={explained} />}
    </div>
  )
}

function Based({
  on: { recommendation, container, machine, nodes, start_date, end_date },
}: {
  on: Explained
}) {
  const { cluster, namespace, workload, container: name } = recommendation
  const days = (Date.parse(end_date) - Date.parse(start_date)) / 86_400_000
  return (
    <>
      {container !== null && (
        <UsageOverTime
          id={[cluster, namespace, workload, name].join('/')}
          period={{ start_date, end_date, days }}
          recommended={{
            cpu: container.CPU.Requests.Recommended,
            memory: container.Memory.Requests.Recommended,
          }}
        />
      )}
      {container?.Explanation !== undefined && <Estimates of={container.Explanation} />}
      {machine?.rehost !== undefined && <Rehost of={machine.rehost} vm={machine.vm} />}
      {nodes !== null && <NodeOptions of={nodes} />}
    </>
  )
}

const figures = [
  ['CPU request', 'cpu_cores', cpuRequest],
  ['CPU limit', 'cpu_limit_cores', cpuRequest],
  ['Memory request', 'memory_gib', memoryRequest],
  ['Memory limit', 'memory_limit_gib', memoryRequest],
] as const

/** The sizes now and as recommended, and the cost per month. */
function SizeTable({
  recommendation: { kind, current, recommended, cost_per_month: cost, worth_per_month: worth },
}: {
  recommendation: Recommendation
}) {
  const isContainer = kind === 'container'
  const rows = isContainer
    ? figures
        .filter(([, member]) => current[member] !== null || recommended?.[member] != null)
        .map(([label, member, say]) => [
          label,
          size(current[member], say),
          size(recommended?.[member] ?? null, say),
        ])
    : [[kind === 'cluster' ? 'Nodes' : 'Size', sizeWords(current), sizeWords(recommended)]]
  return (
    <table className="case-table">
      <caption className="visually-hidden">Now and as recommended</caption>
      <thead>
        <tr>
          <td />
          <th scope="col" className="number">
            Now
          </th>
          <th scope="col" className="number">
            Recommended
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([label, now, then]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td className="number">{now}</td>
            <td className="number">{then}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">Cost per month</th>
          <td className="number">{money(cost)}</td>
          <td className="number">
            {cost === null ? '–' : money(cost - worth)}{' '}
            <b className={worth < 0 ? 'bad' : 'good'}>
              {worth < 0 ? `+${money(-worth)}` : `-${money(worth)}`}
            </b>
          </td>
        </tr>
      </tbody>
    </table>
  )
}

const size = (value: number | null, say: (value: number) => string): string =>
  value === null ? 'not set' : say(value)

const sources: Readonly<Record<string, string>> = {
  list: 'list prices',
  own: 'your own prices',
  metric: 'prices reported by OpenCost',
}

function Prices({ of: { price_sources, price_date, is_estimate } }: { of: Recommendation }) {
  const named = price_sources.filter((source) => source !== 'base').map((source) => sources[source] ?? source)
  return (
    <>
      {named.length > 0 &&
        `Based on ${named.join(' and ')}${price_date === null ? '' : ` of ${day(price_date)}`}. `}
      {is_estimate && (
        <>
          {named.length > 0 ? 'Part of it is' : 'The amount is'} estimated at <Term of="base rates" />,
          because the price of a node is not known.
        </>
      )}
    </>
  )
}
