import type { EChartsCoreOption } from 'echarts/core'
import type { paths } from '../api/schema.ts'
import { axisStyle, tooltipStyle } from '../charts/chart-style.ts'
import type { Palette } from '../charts/palette.ts'
import { counted, dayShort, moment } from '../parts/figures.ts'

export type UsageReport =
  paths['/v1/usage/{kind}/{id}']['get']['responses'][200]['content']['application/json']
type UsageStep = UsageReport['steps'][number]

/** Uses hours for up to a week, so that the course of a day is visible. */
export const usageStepOf = (days: number): 'hour' | 'day' => (days <= 7 ? 'hour' : 'day')

/**
 * A line at more than this many times the usage is left out, because the rest would be too small to read. The request
 * is always shown.
 */
const farthest = 4

/** Plots one resource of a container over time. */
export function usagePlot(
  { steps, decisions = [] }: Pick<UsageReport, 'steps' | 'decisions'>,
  resource: 'cpu_cores' | 'memory_gib',
  recommended: number | null,
  say: (value: number | null | undefined) => string,
) {
  const at = steps.map(({ start }) => Date.parse(start))
  const line = (value: (step: UsageStep) => number | null) => steps.map((step, i) => [at[i]!, value(step)])
  const decided = decisions.flatMap((each) =>
    each[resource] === null ? [] : [[Date.parse(each.start), each[resource]] as const],
  )
  const advised =
    recommended === null || at.length === 0
      ? []
      : decided.length > 1
        ? [...decided, [at.at(-1)!, recommended] as const]
        : at.map((time) => [time, recommended] as const)
  const most = Math.max(
    ...steps.map((step) => step[resource].max ?? 0),
    ...advised.map(([, value]) => value),
    0,
  )
  const limit = (step: UsageStep) => {
    const given = step[resource].limit
    return given !== null && given > most * farthest ? null : given
  }
  const marked = (count: (step: UsageStep) => number) =>
    steps.flatMap((step, i) => (count(step) > 0 ? [[at[i]!, step[resource].max ?? 0]] : []))
  return (palette: Palette): EChartsCoreOption => {
    const look = axisStyle(palette)
    const drawn = (name: string, color: string | undefined, data: unknown[], more: object = {}) => ({
      name,
      type: 'line',
      symbol: data.length === 1 ? 'circle' : 'none',
      lineStyle: { width: 2 },
      itemStyle: { color },
      data,
      ...more,
    })
    const mark = (name: string, symbol: string, color: string, data: number[][]) => ({
      name,
      type: 'scatter',
      symbol,
      symbolSize: 11,
      itemStyle: { color, borderColor: palette.ground, borderWidth: 1 },
      z: 5,
      data,
    })
    return {
      textStyle: { fontFamily: palette.font },
      grid: { left: 4, right: 14, top: 12, bottom: 4, containLabel: true },
      tooltip: {
        ...tooltipStyle(palette),
        trigger: 'axis',
        confine: true,
        formatter: (points: { value: [number] }[]) => {
          const step = steps[at.indexOf(points[0]!.value[0])]
          return step === undefined ? '' : describe(step, resource, say)
        },
      },
      xAxis: {
        type: 'time',
        ...look,
        splitLine: { show: false },
        axisLabel: { ...look.axisLabel, formatter: (time: number) => timeLabel(time) },
      },
      yAxis: { type: 'value', min: 0, ...look },
      series: [
        drawn(
          'most',
          palette.kinds[7],
          line((step) => step[resource].max),
          { lineStyle: { width: 1 } },
        ),
        drawn(
          'p95',
          palette.kinds[0],
          line((step) => step[resource].p95),
          { areaStyle: { opacity: 0.15 } },
        ),
        drawn(
          'request',
          palette.ink,
          line((step) => step[resource].request),
          { step: 'middle' },
        ),
        drawn('limit', palette.ink, line(limit), {
          step: 'middle',
          lineStyle: { width: 1.5, type: 'dashed' },
        }),
        ...(advised.length === 0
          ? []
          : [
              drawn(
                'recommended',
                palette.accent,
                advised.map(([...point]) => point),
                { step: 'end' },
              ),
            ]),
        mark(
          'restart',
          'triangle',
          palette.warn,
          marked(({ restarts }) => restarts),
        ),
        ...(resource === 'memory_gib'
          ? [
              mark(
                'OOM kill',
                'diamond',
                palette.danger,
                marked(({ oom_kills }) => oom_kills),
              ),
            ]
          : []),
      ],
    }
  }
}

function timeLabel(time: number): string {
  const text = new Date(time).toISOString()
  return text.slice(11, 16) === '00:00' ? dayShort(text) : text.slice(11, 16)
}

function describe(
  step: UsageStep,
  resource: 'cpu_cores' | 'memory_gib',
  say: (value: number | null | undefined) => string,
): string {
  const { mean, p95, max, request, limit } = step[resource]
  return [
    moment(step.start),
    `mean ${say(mean)}, p95 ${say(p95)}, max ${say(max)}`,
    `request ${request === null ? 'not set' : say(request)}, limit ${limit === null ? 'not set' : say(limit)}`,
    counted(step.replicas, 'replica'),
    ...(step.oom_kills > 0 ? [counted(step.oom_kills, 'OOM kill')] : []),
    ...(step.restarts > 0 ? [counted(step.restarts, 'restart')] : []),
  ].join('\n')
}
