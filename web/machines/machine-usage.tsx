import { useQueries } from '@tanstack/react-query'
import type { EChartsCoreOption } from 'echarts/core'
import { useMemo } from 'react'
import '../styles/namespaces.css'
import { answer, service } from '../api/client.ts'
import { Chart } from '../charts/chart.tsx'
import { axisStyle, tooltipStyle } from '../charts/chart-style.ts'
import type { Palette } from '../charts/palette.ts'
import { type UsageReport, usageStepOf } from '../namespaces/usage-plot.ts'
import { cores, dayShort, gib, moment } from '../parts/figures.ts'
import { Skeleton, Trouble } from '../parts/states.tsx'
import type { Period } from '../usage/period.ts'
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
export function MachineUsage({ vm, rows, metadata, period: { start_date, end_date, days } }: Props) {
  const step = usageStepOf(days)
  const ids = useMemo(() => largestOf(rows).map((id) => `${vm}/${id}`), [vm, rows])
  const asked = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['usage', id, start_date, end_date, step],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        answer(
          service.GET('/v1/usage/{kind}/{id}', {
            params: { path: { kind: 'process', id }, query: { step, start_date, end_date } },
            signal,
          }),
        ),
    })),
    combine: (all) => ({
      reports: all.flatMap(({ data }) => data ?? []),
      isPending: all.some(({ isPending }) => isPending),
      error: all.find(({ error }) => error !== null)?.error ?? null,
      refetch: () => Promise.all(all.map((each) => each.refetch())),
    }),
  })
  const { reports, isPending, error } = asked
  const cpu = useMemo(
    () => stackOf(reports, 'cpu_cores', step, metadata?.cpucores, cores),
    [reports, step, metadata],
  )
  const memory = useMemo(
    () => stackOf(reports, 'memory_gib', step, metadata?.ramgiB, gib),
    [reports, step, metadata],
  )
  return (
    <section className="card machine-usage" aria-labelledby="usage-title">
      <div className="card-head">
        <h2 id="usage-title">
          Usage over time <span className="note">mean per {step}, of the largest processes</span>
        </h2>
      </div>
      {isPending && <Skeleton lines={5} label="Loading usage" />}
      {error !== null && <Trouble error={error} again={() => void asked.refetch()} />}
      {!isPending && reports.length > 0 && (
        <>
          <ul className="legend">
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
          </ul>
          <div className="spreads">
            <figure>
              <figcaption>
                <b>CPU</b> <span className="note">cores</span>
              </figcaption>
              <Chart
                label={`CPU of ${reports.length} processes over time, stacked`}
                height={210}
                option={cpu}
              />
            </figure>
            <figure>
              <figcaption>
                <b>Memory</b> <span className="note">GiB</span>
              </figcaption>
              <Chart
                label={`Memory of ${reports.length} processes over time, stacked`}
                height={210}
                option={memory}
              />
            </figure>
          </div>
        </>
      )}
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
  resource: 'cpu_cores' | 'memory_gib',
  step: ReturnType<typeof usageStepOf>,
  size: number | null | undefined,
  say: (value: number) => string,
) {
  const starts = [...new Set(reports.flatMap(({ steps }) => steps.map(({ start }) => start)))].sort()
  const lines = reports.map(({ id, steps }) => {
    const at = new Map(steps.map((step) => [step.start, step[resource].mean]))
    return { name: nameOf(id), values: starts.map((start) => at.get(start) ?? 0) }
  })
  const describe = (index: number) =>
    [moment(starts[index]), ...lines.map(({ name, values }) => `${name}: ${say(values[index]!)}`)].join('\n')
  return (palette: Palette): EChartsCoreOption => {
    const look = axisStyle(palette)
    return {
      textStyle: { fontFamily: palette.font },
      grid: { left: 4, right: 14, top: 12, bottom: 4, containLabel: true },
      tooltip: {
        ...tooltipStyle(palette),
        trigger: 'axis',
        confine: true,
        formatter: (points: { dataIndex: number }[]) => describe(points[0]!.dataIndex),
      },
      xAxis: {
        type: 'category',
        boundaryGap: starts.length === 1,
        data: starts.map((start) =>
          step === 'hour' ? `${start.slice(11, 16)} ${dayShort(start)}` : dayShort(start),
        ),
        ...look,
        splitLine: { show: false },
      },
      yAxis: { type: 'value', min: 0, ...look },
      series: [
        ...lines.map(({ name, values }, i) => ({
          name,
          type: 'line',
          stack: 'usage',
          symbol: starts.length === 1 ? 'circle' : 'none',
          lineStyle: { width: 1 },
          areaStyle: { opacity: 0.6 },
          itemStyle: { color: palette.kinds[i] },
          data: values,
        })),
        ...(size == null
          ? []
          : [
              {
                name: 'size',
                type: 'line',
                symbol: 'none',
                lineStyle: { width: 2 },
                itemStyle: { color: palette.ink },
                data: starts.map(() => size),
              },
            ]),
      ],
    }
  }
}
