import type { EChartsCoreOption } from 'echarts/core'
import { amountAxis, axisStyle, tooltipStyle } from '../charts/chart-style.ts'
import type { Palette } from '../charts/palette.ts'
import { toCurrency } from '../parts/currency.ts'
import { counted, day, dayShort, money } from '../parts/figures.ts'
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

/** Draws cost over time as stacked bands. */
export function areaOf(bands: readonly Band[], step: keyof typeof stepHours, { starts, partly }: DrawnSteps) {
  const label = (start: string) =>
    `${step === 'hour' ? `${start.slice(11, 16)}\n` : ''}${dayShort(start)}${partly.has(start) ? '*' : ''}`
  const describeStep = (start: string) => {
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
        formatter: (points: { dataIndex: number }[]) => describeStep(starts[points[0]!.dataIndex]!),
      },
      xAxis: {
        type: 'category',
        boundaryGap: starts.length === 1,
        data: starts.map(label),
        ...look,
        axisLabel: { ...look.axisLabel, lineHeight: 15 },
        splitLine: { show: false },
      },
      yAxis: amountAxis(palette),
      series: bands.map(({ name, kind, byStep }) => ({
        name,
        type: 'line',
        stack: 'cost',
        symbol: starts.length === 1 ? 'circle' : 'none',
        lineStyle: { width: 1 },
        areaStyle: { opacity: kind === undefined ? 0.25 : 0.6 },
        itemStyle: { color: kind === undefined ? palette.soft : palette.kinds[kind - 1] },
        data: starts.map((start) => toCurrency(byStep.get(start) ?? 0)),
      })),
    }
  }
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
