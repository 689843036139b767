import { Badge } from '../parts/badge.tsx'
import { cores, count, gib, money, percent, share } from '../parts/figures.ts'
import type { ContainerRow } from './container-columns.tsx'
import { Estimates } from './estimates.tsx'
import { Spread } from './spread.tsx'

/** One container: how its usage is spread, what it has, what it should have, and why. */
export function ContainerView({ of }: { of: ContainerRow }) {
  const { Replicas, Confidence } = of
  return (
    <section className="card container-view" aria-labelledby="container-title">
      <div className="card-head">
        <h2 id="container-title">
          {of.Container} <span className="note">{`${of.Kind}/${of.Workload}`}</span>
        </h2>
        <div className="badges">
          <Badge tone={Confidence >= 0.66 ? 'good' : Confidence >= 0.33 ? undefined : 'warn'}>
            {share(Confidence)} sure
          </Badge>
          {of.OOMKills > 0 && <Badge tone="bad">{count(of.OOMKills)} kills for lack of memory</Badge>}
          {of.ThrottledPercent >= 1 && <Badge tone="warn">throttled {percent(of.ThrottledPercent)}</Badge>}
          <Badge>
            {count(Replicas.Current)} {Replicas.Current === 1 ? 'replica' : 'replicas'}
            {Replicas.Highest > Replicas.Current && `, at most ${count(Replicas.Highest)}`}
          </Badge>
        </div>
      </div>
      <div className="spreads">
        <Spread title="CPU" resource={of.CPU} bars={of.Explanation?.CPU.Distribution ?? []} say={cores} />
        <Spread
          title="Memory"
          resource={of.Memory}
          bars={of.Explanation?.Memory.Distribution ?? []}
          say={gib}
        />
      </div>
      <div className="reasons">
        <h3>Why</h3>
        <ul className="plain-list">
          {of.Reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
        <p className="note">
          {money(of.CurrentSpend)} per month now, {money(of.NewSpend)} with the recommended requests.
        </p>
      </div>
      {of.Explanation !== undefined && <Estimates of={of.Explanation} />}
    </section>
  )
}
