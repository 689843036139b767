import type { EChartsCoreOption } from 'echarts/core'
import { axisStyle, tooltipStyle } from '../charts/chart-style.ts'
import type { Palette } from '../charts/palette.ts'
import { day, dayShort, money } from '../parts/figures.ts'
import type { CostGroup } from './groups.ts'

/** Bands with a colour of their own; the rest is one band. */
export const mostBands = 8

export interface Band {
  readonly name: string
  /** From 1; undefined for what is idle. */
  readonly kind: number | undefined
  readonly byStep: ReadonlyMap<string, number>
}

/** The dearest groups, the others together, and what is idle on top. */
export function bandsOf(groups: readonly CostGroup[], idle: ReadonlyMap<string, number> | undefined): Band[] {
  const own = groups.slice(0, mostBands).map(
    ({ name, place, byStep }, i): Band => ({
      name: place === '' ? name : `${name} (${place})`,
      kind: i + 1,
      byStep,
    }),
  )
  const rest = groups.slice(mostBands)
  const others = new Map<string, number>()
  for (const { byStep } of rest)
    for (const [start, usd] of byStep) others.set(start, (others.get(start) ?? 0) + usd)
  return [
    ...own,
    ...(rest.length === 0 ? [] : [{ name: `${rest.length} others`, kind: mostBands + 1, byStep: others }]),
    ...(idle === undefined ? [] : [{ name: 'Idle', kind: undefined, byStep: idle }]),
  ]
}

/** Cost over time, band upon band. */
export function areaOf(bands: readonly Band[], step: string) {
  const starts = [...new Set(bands.flatMap(({ byStep }) => [...byStep.keys()]))].sort()
  const label = (start: string) =>
    step === 'hour' ? `${start.slice(11, 16)}\n${dayShort(start)}` : dayShort(start)
  return (palette: Palette): EChartsCoreOption => {
    const look = axisStyle(palette)
    return {
      textStyle: { fontFamily: palette.font },
      grid: { left: 8, right: 16, top: 16, bottom: 8, containLabel: true },
      tooltip: {
        ...tooltipStyle(palette),
        trigger: 'axis',
        confine: true,
        formatter: (points: { dataIndex: number }[]) => describe(bands, starts[points[0]!.dataIndex]!, step),
      },
      xAxis: {
        type: 'category',
        boundaryGap: starts.length === 1,
        data: starts.map(label),
        ...look,
        splitLine: { show: false },
      },
      yAxis: {
        type: 'value',
        ...look,
        axisLabel: { ...look.axisLabel, formatter: (value: number) => `$${Number(value.toPrecision(4))}` },
      },
      series: bands.map(({ name, kind, byStep }) => ({
        name,
        type: 'line',
        stack: 'cost',
        symbol: starts.length === 1 ? 'circle' : 'none',
        lineStyle: { width: 1 },
        areaStyle: { opacity: kind === undefined ? 0.25 : 0.6 },
        itemStyle: { color: kind === undefined ? palette.soft : palette.kinds[kind - 1] },
        data: starts.map((start) => byStep.get(start) ?? 0),
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
