import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { answer, service } from '../api/client.ts'
import { Chart } from '../charts/chart.tsx'
import { cores, counted, gib } from '../parts/figures.ts'
import { Skeleton, Trouble } from '../parts/states.tsx'
import type { Period } from '../usage/period.ts'
import { type UsageReport, usagePlot, usageStepOf } from './usage-plot.ts'

interface Props {
  /** "cluster/namespace/Kind/workload/container". */
  readonly id: string
  readonly period: Pick<Period, 'start_date' | 'end_date' | 'days'>
  readonly recommended: { readonly cpu: number | null; readonly memory: number | null }
}

/** Shows usage against request and limit, with OOM kills and restarts. */
export function UsageOverTime({ id, period, recommended }: Props) {
  const { start_date, end_date, days } = period
  const step = usageStepOf(days)
  const asked = useQuery({
    queryKey: ['usage', id, start_date, end_date, step],
    queryFn: ({ signal }) =>
      answer(
        service.GET('/v1/usage/{kind}/{id}', {
          params: { path: { kind: 'container', id }, query: { step, start_date, end_date } },
          signal,
        }),
      ),
  })
  return (
    <div className="over-time">
      <h3>Usage over time</h3>
      {asked.isPending && <Skeleton lines={5} label="Loading usage" />}
      {asked.error !== null && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.data !== undefined && <Lines of={asked.data} recommended={recommended} step={step} />}
    </div>
  )
}

function Lines({
  of,
  recommended,
  step,
}: {
  of: UsageReport
  recommended: Props['recommended']
  step: string
}) {
  const cpu = useMemo(() => usagePlot(of, 'cpu_cores', recommended.cpu, cores), [of, recommended.cpu])
  const memory = useMemo(() => usagePlot(of, 'memory_gib', recommended.memory, gib), [of, recommended.memory])
  const kills = of.steps.reduce((sum, each) => sum + each.oom_kills, 0)
  const restarts = of.steps.reduce((sum, each) => sum + each.restarts, 0)
  const said = [
    ...(kills > 0 ? [counted(kills, 'OOM kill')] : []),
    ...(restarts > 0 ? [counted(restarts, 'restart')] : []),
  ]
  return (
    <>
      <ul className="legend">
        <li>
          <span className="dot kind-1" aria-hidden="true" /> p95
        </li>
        <li>
          <span className="dot kind-8" aria-hidden="true" /> max
        </li>
        <li>
          <span className="rule now" aria-hidden="true" /> request
        </li>
        <li>
          <span className="rule now limit" aria-hidden="true" /> limit
        </li>
        <li>
          <span className="rule then" aria-hidden="true" /> recommended request
          {(of.decisions?.length ?? 0) > 1 && ', as decided each day'}
        </li>
        {kills > 0 && (
          <li>
            <span className="dot kill" aria-hidden="true" /> OOM kill
          </li>
        )}
        {restarts > 0 && (
          <li>
            <span className="dot restart" aria-hidden="true" /> restart
          </li>
        )}
      </ul>
      <p className="note">
        Per {step}, over all replicas.{said.length > 0 && ` ${said.join(', ')} in this period.`}
      </p>
      <div className="spreads">
        <figure>
          <figcaption>
            <b>CPU</b> <span className="note">cores</span>
          </figcaption>
          <Chart label={`CPU over time per ${step} against request and limit`} height={210} option={cpu} />
        </figure>
        <figure>
          <figcaption>
            <b>Memory</b> <span className="note">GiB</span>
          </figcaption>
          <Chart
            label={`Memory over time per ${step} against request and limit; ${said.join(', ') || 'no OOM kill, no restart'}`}
            height={210}
            option={memory}
          />
        </figure>
      </div>
    </>
  )
}
