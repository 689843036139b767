import { counted, moment } from '../parts/figures.ts'
import { type ChartOption, lineBefore, lineOf, usageOption } from '../usage/usage-charts.tsx'
import type { UsageReport, UsageResource, UsageStep } from '../usage/usage-reports.ts'

/**
 * A line at more than this many times the usage is left out, because the rest would be too small to read. The request
 * is always shown.
 */
const farthest = 4

/** Plots one resource of a container over time. */
export function usagePlot(
  { steps, decisions = [] }: Pick<UsageReport, 'steps' | 'decisions'>,
  resource: UsageResource,
  recommended: number | null,
  before: readonly (readonly [time: number, value: number])[],
  say: (value: number | null | undefined) => string,
): ChartOption {
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
  const earlier = new Map(before)
  const describeAt = (time: number) => {
    const step = steps[at.indexOf(time)]
    return step && describe(step, resource, earlier.get(time), say)
  }
  return usageOption(describeAt, (palette) => {
    const mark = (name: string, symbol: string, color: string, data: number[][]) => ({
      name,
      type: 'scatter',
      symbol,
      symbolSize: 11,
      itemStyle: { color, borderColor: palette.ground, borderWidth: 1 },
      z: 5,
      data,
    })
    const { kinds, ink } = palette
    return [
      lineOf(
        'max',
        kinds[7],
        line((step) => step[resource].max),
        { lineStyle: { width: 1 } },
      ),
      lineOf(
        'p95',
        kinds[0],
        line((step) => step[resource].p95),
        { areaStyle: { opacity: 0.15 } },
      ),
      lineOf(
        'request',
        ink,
        line((step) => step[resource].request),
        { step: 'middle' },
      ),
      lineOf('limit', ink, line(limit), { step: 'middle', lineStyle: { width: 1.5, type: 'dashed' } }),
      ...(advised.length === 0
        ? []
        : [
            lineOf(
              'recommended',
              palette.accent,
              advised.map(([...point]) => point),
              { step: 'end' },
            ),
          ]),
      ...(before.length === 0 ? [] : [lineBefore(palette, [...before])]),
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
    ]
  })
}

function describe(
  step: UsageStep,
  resource: UsageResource,
  before: number | undefined,
  say: (value: number | null | undefined) => string,
): string {
  const { mean, p95, max, request, limit } = step[resource]
  return [
    moment(step.start),
    `mean ${say(mean)}, p95 ${say(p95)}, max ${say(max)}`,
    ...(before === undefined ? [] : [`p95 of the previous period ${say(before)}`]),
    `request ${request === null ? 'not set' : say(request)}, limit ${limit === null ? 'not set' : say(limit)}`,
    counted(step.replicas, 'replica'),
    ...(step.oom_kills > 0 ? [counted(step.oom_kills, 'OOM kill')] : []),
    ...(step.restarts > 0 ? [counted(step.restarts, 'restart')] : []),
  ].join('\n')
}
