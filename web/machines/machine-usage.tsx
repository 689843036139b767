import { useMemo } from 'react'
import '../styles/namespaces.css'
import { cores, gib, moment } from '../parts/figures.ts'
import type { Period } from '../usage/period.ts'
import { type ChartOption, lineBefore, lineOf, UsageCharts, usageOption } from '../usage/usage-charts.tsx'
import { type UsageReport, type UsageResource, usageBefore, useUsageReports } from '../usage/usage-reports.ts'
import type { Metadata, Process } from './queries.ts'

interface Props {
  readonly vm: string
  readonly rows: readonly Process[]
  readonly metadata: Metadata | undefined
  readonly period: Pick<Period, 'start_date' | 'end_date' | 'days'>
}

/** As many as have a colour of their own. */
const maxProcesses = 6

/** Shows the mean usage of the largest processes over time, stacked, below the size of the machine. */
export function MachineUsage({ vm, rows, metadata, period }: Props) {
  const ids = useMemo(() => largestOf(rows).map((id) => `${vm}/${id}`), [vm, rows])
  const asked = useUsageReports('process', ids, period)
  const { reports, before, step, shiftMs } = asked
  const plots = useMemo(() => {
    const plot = (resource: UsageResource, size: number | null | undefined, say: (value: number) => string) =>
      stackOf(
        reports,
        resource,
        size,
        usageBefore(before, shiftMs, (each) => each[resource].mean),
        say,
      )
    return {
      cpu: plot('cpu_cores', metadata?.cpucores, cores),
      memory: plot('memory_gib', metadata?.ramgiB, gib),
    }
  }, [reports, before, shiftMs, metadata])
  return (
    <section className="card machine-usage" aria-labelledby="usage-title">
      <div className="card-head">
        <h2 id="usage-title">
          Usage over time <span className="note">mean per {step}, of the largest processes</span>
        </h2>
      </div>
      <UsageCharts
        asked={asked}
        {...plots}
        ofPeriod
        label={`of ${reports.length} processes, stacked`}
        legend={
          <>
            {reports.map(({ id }, i) => (
              <li key={id}>
                <span className={`dot kind-${i + 1}`} aria-hidden="true" /> {nameOf(id)}
              </li>
            ))}
            {metadata !== undefined && (
              <li>
                <span className="rule now" aria-hidden="true" /> size of the machine
              </li>
            )}
          </>
        }
      />
    </section>
  )
}

/** Returns "group/process" of those that cost most; a process may run in several cgroups. */
function largestOf(rows: readonly Process[]): string[] {
  const sums = new Map<string, number>()
  for (const { processGroup, process, currentSpend } of rows) {
    const id = `${processGroup}/${process}`
    sums.set(id, (sums.get(id) ?? 0) + currentSpend)
  }
  return [...sums]
    .sort(([, one], [, other]) => other - one)
    .slice(0, maxProcesses)
    .map(([id]) => id)
}

const nameOf = (id: string): string => id.split('/').slice(2).join('/')

function stackOf(
  reports: readonly UsageReport[],
  resource: UsageResource,
  size: number | null | undefined,
  before: readonly (readonly [time: number, value: number])[],
  say: (value: number) => string,
): ChartOption {
  const starts = [...new Set(reports.flatMap(({ steps }) => steps.map(({ start }) => start)))].sort()
  const at = starts.map((start) => Date.parse(start))
  const lines = reports.map(({ id, steps }) => {
    const means = new Map(steps.map((step) => [step.start, step[resource].mean]))
    return { name: nameOf(id), values: starts.map((start) => means.get(start) ?? 0) }
  })
  const earlier = new Map(before)
  const describe = (time: number) => {
    const index = at.indexOf(time)
    if (index < 0) return undefined
    const then = earlier.get(time)
    return [
      moment(starts[index]),
      ...lines.map(({ name, values }) => `${name}: ${say(values[index]!)}`),
      ...(then === undefined ? [] : [`together in the previous period: ${say(then)}`]),
    ].join('\n')
  }
  return usageOption(describe, (palette) => [
    ...lines.map(({ name, values }, i) =>
      lineOf(
        name,
        palette.kinds[i],
        values.map((value, index) => [at[index]!, value]),
        { stack: 'usage', lineStyle: { width: 1 }, areaStyle: { opacity: 0.6 } },
      ),
    ),
    ...(size == null
      ? []
      : [
          lineOf(
            'size',
            palette.ink,
            at.map((time) => [time, size]),
          ),
        ]),
    ...(before.length === 0 ? [] : [lineBefore(palette, [...before])]),
  ])
}
