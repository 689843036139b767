import { useMemo } from 'react'
import { cores, counted, gib } from '../parts/figures.ts'
import type { Period } from '../usage/period.ts'
import { UsageCharts } from '../usage/usage-charts.tsx'
import { type UsageResource, usageBefore, useUsageReports } from '../usage/usage-reports.ts'
import { usagePlot } from './usage-plot.ts'

interface Props {
  /** "cluster/namespace/Kind/workload/container". */
  readonly id: string
  readonly period: Pick<Period, 'start_date' | 'end_date' | 'days'>
  /** Whether it is the period of the address. */
  readonly ofPeriod?: boolean
  readonly recommended: { readonly cpu: number | null; readonly memory: number | null }
}

/** Shows usage against request and limit, with OOM kills and restarts. */
export function UsageOverTime({ id, period, ofPeriod = false, recommended: { cpu, memory } }: Props) {
  const asked = useUsageReports(
    'container',
    useMemo(() => [id], [id]),
    period,
  )
  const { reports, before, step, shiftMs } = asked
  const plots = useMemo(() => {
    const of = reports[0] ?? { steps: [] }
    const earlier = (resource: UsageResource) =>
      ofPeriod ? usageBefore(before, shiftMs, (each) => each[resource].p95) : []
    return {
      cpu: usagePlot(of, 'cpu_cores', cpu, earlier('cpu_cores'), cores),
      memory: usagePlot(of, 'memory_gib', memory, earlier('memory_gib'), gib),
    }
  }, [reports, before, shiftMs, ofPeriod, cpu, memory])
  const steps = reports[0]?.steps ?? []
  const kills = steps.reduce((sum, each) => sum + each.oom_kills, 0)
  const restarts = steps.reduce((sum, each) => sum + each.restarts, 0)
  const said = [
    ...(kills > 0 ? [counted(kills, 'OOM kill')] : []),
    ...(restarts > 0 ? [counted(restarts, 'restart')] : []),
  ].join(', ')
  return (
    <div className="over-time">
      <h3>Usage over time</h3>
      <UsageCharts
        asked={asked}
        {...plots}
        ofPeriod={ofPeriod}
        label={`per ${step} against request and limit; ${said || 'no OOM kill, no restart'}`}
        note={`Per ${step}, over all replicas.${said === '' ? '' : ` ${said} in this period.`}`}
        legend={
          <>
            {legend.map(([mark, text]) => (
              <li key={text}>
                <span className={mark} aria-hidden="true" /> {text}
              </li>
            ))}
            <li>
              <span className="rule then" aria-hidden="true" /> recommended request
              {(reports[0]?.decisions?.length ?? 0) > 1 && ', as decided each day'}
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
          </>
        }
      />
    </div>
  )
}

const legend = [
  ['dot kind-1', 'p95'],
  ['dot kind-8', 'max'],
  ['rule now', 'request'],
  ['rule now limit', 'limit'],
] as const
