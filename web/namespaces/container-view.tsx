import { Badge } from '../parts/badge.tsx'
import {
  cores,
  count,
  counted,
  cpuRequest,
  gib,
  memoryRequest,
  money,
  share,
  textWithAmounts,
} from '../parts/figures.ts'
import { Term } from '../parts/term.tsx'
import type { Period } from '../usage/period.ts'
import { Attention, leastSure } from './attention.tsx'
import type { ContainerRow } from './container-columns.tsx'
import { Estimates } from './estimates.tsx'
import { Spread } from './spread.tsx'
import { UsageOverTime } from './usage-over-time.tsx'

/** Shows one container: the distribution of its usage, its current and recommended sizes, and the reasons. */
export function ContainerView({
  of,
  cluster,
  namespace,
  period,
}: {
  of: ContainerRow
  cluster: string
  namespace: string
  period: Period
}) {
  const { Replicas, Confidence } = of
  return (
    <section className="card container-view" aria-labelledby="container-title">
      <div className="card-head">
        <h2 id="container-title">
          {of.Workload}{' '}
          <span className="note">
            {of.Kind}, container {of.Container}
          </span>
        </h2>
        <div className="badges">
          <Badge tone={Confidence >= 0.66 ? 'good' : Confidence >= leastSure ? undefined : 'warn'}>
            {share(Confidence)} confidence
          </Badge>
          <Attention of={of} />
          <Badge>
            {counted(Replicas.Current, 'replica')}
            {Replicas.Highest > Replicas.Current && `, at most ${count(Replicas.Highest)}`}
          </Badge>
        </div>
      </div>
      <div className="spreads">
        <Spread
          title="CPU"
          resource={of.CPU}
          bars={of.Explanation?.CPU.Distribution ?? []}
          say={cores}
          sayRequest={cpuRequest}
        />
        <Spread
          title="Memory"
          resource={of.Memory}
          bars={of.Explanation?.Memory.Distribution ?? []}
          say={gib}
          sayRequest={memoryRequest}
        />
      </div>
      <UsageOverTime
        id={[cluster, namespace, of.Kind, of.Workload, of.Container].join('/')}
        period={period}
        ofPeriod
        recommended={{ cpu: of.CPU.Requests.Recommended, memory: of.Memory.Requests.Recommended }}
      />
      <div className="reasons">
        <h3>Why</h3>
        <ul className="plain-list">
          {of.Reasons.map((reason) => (
            <li key={reason}>{textWithAmounts(reason)}</li>
          ))}
        </ul>
        <p className="note">
          <Term of="spend">Spend</Term>: {money(of.CurrentSpend)} per month now, {money(of.NewSpend)} with the
          recommended requests.
        </p>
      </div>
      {of.Explanation !== undefined && <Estimates of={of.Explanation} />}
    </section>
  )
}
