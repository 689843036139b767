import type { EChartsCoreOption } from 'echarts/core'
import { amountAxis, axisStyle, tooltipStyle } from '../charts/chart-style.ts'
import type { Palette } from '../charts/palette.ts'
import { toCurrency } from '../parts/currency.ts'
import { counted, day, dayShort, money } from '../parts/figures.ts'
import type { Forecast } from './forecast-tile.tsx'
import type { CostGroup } from './groups.ts'
import type { CostRow } from './queries.ts'

/** Number of groups with their own colour; the rest is one band. */
export const maxBands = 8

export interface Band {
  readonly name: string
  /** Colour index from 1; undefined for idle cost. */
  readonly kind: number | undefined
  readonly byStep: ReadonlyMap<string, number>
}

/** Returns the most expensive groups, the others together, and idle cost on top. */
export function bandsOf(groups: readonly CostGroup[], idle: ReadonlyMap<string, number> | undefined): Band[] {
  const own = groups.slice(0, maxBands).map(
    ({ name, place, byStep }, i): Band => ({
      name: place === '' ? name : `${name} (${place})`,
      kind: i + 1,
      byStep,
    }),
  )
  const rest = groups.slice(maxBands)
  const others = new Map<string, number>()
  for (const { byStep } of rest)
    for (const [start, usd] of byStep) others.set(start, (others.get(start) ?? 0) + usd)
  return [
    ...own,
    ...(rest.length === 0
      ? []
      : [
          {
            name: rest.length === 1 ? '1 other' : `${rest.length} others`,
            kind: maxBands + 1,
            byStep: others,
          },
        ]),
    ...(idle === undefined ? [] : [{ name: 'Idle', kind: undefined, byStep: idle }]),
  ]
}

const stepHours = { hour: 1, day: 24, week: 168 } as const

/** The steps of a chart, and the hours of those that were measured only in part: these cost less, which looks like a drop. */
interface DrawnSteps {
  readonly starts: readonly string[]
  readonly partly: ReadonlyMap<string, number>
}

export function stepsToDraw(
  rows: readonly Pick<CostRow, 'start' | 'measured_hours'>[],
  step: keyof typeof stepHours,
): DrawnSteps {
  const hours = new Map<string, number>()
  for (const { start, measured_hours = 0 } of rows)
    hours.set(start, Math.max(hours.get(start) ?? 0, measured_hours))
  return {
    starts: [...hours.keys()].sort(),
    partly: new Map([...hours].filter(([, measured]) => measured < stepHours[step])),
  }
}

/** The days until the end of the month, and what each will cost. */
interface DaysAhead {
  readonly starts: readonly string[]
  readonly usd: number
  readonly lowUsd: number
  readonly highUsd: number
}

const dayMs = 86_400_000

/** Spreads what is left of a forecast over the days that are left. Undefined if there are none, or the period ends earlier. */
export function daysAhead(of: Forecast, endDate: string, now: number): DaysAhead | undefined {
  const { month, days, forecast_usd, low_usd, high_usd, so_far_usd: soFar } = of
  const end = Date.parse(`${month}-01T00:00:00Z`) + days * dayMs
  const tomorrow = (Math.floor(now / dayMs) + 1) * dayMs
  if (forecast_usd === null || low_usd === null || high_usd === null) return undefined
  if (Date.parse(endDate) < now || tomorrow >= end) return undefined
  const perDay = (whole: number) => Math.max(0, ((whole - soFar) * dayMs) / (end - now))
  return {
    starts: Array.from({ length: (end - tomorrow) / dayMs }, (_, i) =>
      new Date(tomorrow + i * dayMs).toISOString(),
    ),
    ...{ usd: perDay(forecast_usd), lowUsd: perDay(low_usd), highUsd: perDay(high_usd) },
  }
}

/** Draws cost over time as stacked bands, and the forecast as a line with a band. */
export function areaOf(
  bands: readonly Band[],
  step: keyof typeof stepHours,
  { starts, partly }: DrawnSteps,
  ahead?: DaysAhead,
) {
  const label = (start: string) =>
    `${step === 'hour' ? `${start.slice(11, 16)}\n` : ''}${dayShort(start)}${partly.has(start) ? '*' : ''}`
  const all = [...starts, ...(ahead?.starts ?? [])]
  const describeStep = (start: string) => {
    if (ahead?.starts.includes(start))
      return [
        day(start),
        `Forecast: ${money(ahead.usd)}`,
        `80%: ${money(ahead.lowUsd)} to ${money(ahead.highUsd)}`,
      ].join('\n')
    const hours = partly.get(start)
    const measured = hours === undefined ? [] : [`measured: ${hours} of ${counted(stepHours[step], 'hour')}`]
    return [describe(bands, start, step), ...measured].join('\n')
  }
  return (palette: Palette): EChartsCoreOption => {
    const look = axisStyle(palette)
    return {
      textStyle: { fontFamily: palette.font },
      grid: { left: 8, right: 26, top: 16, bottom: 8, containLabel: true },
      tooltip: {
        ...tooltipStyle(palette),
        trigger: 'axis',
        confine: true,
        formatter: (points: { dataIndex: number }[]) => describeStep(all[points[0]!.dataIndex]!),
      },
      xAxis: {
        type: 'category',
        boundaryGap: all.length === 1,
        data: all.map(label),
        ...look,
        axisLabel: { ...look.axisLabel, lineHeight: 15 },
        splitLine: { show: false },
      },
      yAxis: amountAxis(palette),
      series: [
        ...bands.map(({ name, kind, byStep }) => ({
          name,
          type: 'line',
          stack: 'cost',
          symbol: starts.length === 1 ? 'circle' : 'none',
          lineStyle: { width: 1 },
          areaStyle: { opacity: kind === undefined ? 0.25 : 0.6 },
          itemStyle: { color: kind === undefined ? palette.soft : palette.kinds[kind - 1] },
          data: starts.map((start) => toCurrency(byStep.get(start) ?? 0)),
        })),
        ...(ahead === undefined ? [] : forecastLines(ahead, starts.length, palette)),
      ],
    }
  }
}

/** The width of the band is stacked on its lower edge, which is not visible. */
function forecastLines({ starts, usd, lowUsd, highUsd }: DaysAhead, before: number, palette: Palette) {
  const line = (name: string, value: number, more: object) => ({
    name,
    type: 'line',
    symbol: 'none',
    silent: true,
    lineStyle: { width: 0 },
    itemStyle: { color: palette.accent },
    data: [...Array.from({ length: before }, () => null), ...starts.map(() => toCurrency(value))],
    ...more,
  })
  return [
    line('forecast low', lowUsd, { stack: 'forecast' }),
    line('forecast band', highUsd - lowUsd, { stack: 'forecast', areaStyle: { opacity: 0.15 } }),
    line('forecast', usd, { lineStyle: { width: 2, type: 'dashed' } }),
  ]
}

function describe(bands: readonly Band[], start: string, step: string): string {
  const at = bands.map(({ name, byStep }) => ({ name, usd: byStep.get(start) ?? 0 }))
  const total = at.reduce((sum, { usd }) => sum + usd, 0)
  const when =
    step === 'hour'
      ? `${day(start)}, ${start.slice(11, 16)} UTC`
      : `${step === 'week' ? 'from ' : ''}${day(start)}`
  return [when, ...at.map(({ name, usd }) => `${name}: ${money(usd)}`), `All: ${money(total)}`].join('\n')
}
