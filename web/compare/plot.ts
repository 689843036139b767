import type { EChartsCoreOption } from 'echarts/core'
import type { Palette } from '../charts/palette.ts'
import { cores, gib, hourly, percent } from '../parts/figures.ts'
import { type Answer, type Candidate, paidAs } from './candidates.ts'
import type { Size } from './comparison.ts'
import { frontierOf } from './frontier.ts'

export type Axis = 'cores' | 'memory'

interface Dot {
  readonly value: readonly [number, number]
  readonly candidate?: Candidate
}

/** Price against size: the candidates by provider, the cheapest frontier, and the machine of today. */
export function plotOf(
  { current, candidates }: Answer,
  now: Size,
  axis: Axis,
  knownProviders: readonly string[],
) {
  const sizeIn = (of: { cores: number; gib: number }) => (axis === 'cores' ? of.cores : of.gib)
  const byProvider = Map.groupBy(candidates, ({ provider }) => provider)
  // A provider keeps its colour whatever else is shown.
  const order = [...new Set([...knownProviders, ...[...byProvider.keys()].sort()])]
  const providers = order.filter((provider) => byProvider.has(provider))
  const frontier = frontierOf(candidates.map((each) => ({ size: sizeIn(each), price: each.pricePerHour })))
  const sizes = [...candidates.map(sizeIn), sizeIn(now)]
  const wide = Math.max(...sizes) / Math.min(...sizes) > 6

  return (palette: Palette): EChartsCoreOption => {
    const axisStyle = {
      nameTextStyle: { color: palette.soft, fontSize: 12 },
      axisLabel: { color: palette.soft, fontSize: 12, hideOverlap: true },
      axisLine: { lineStyle: { color: palette.line } },
      axisTick: { show: false },
      splitLine: { lineStyle: { color: palette.line, opacity: 0.6 } },
    }
    return {
      textStyle: { fontFamily: palette.font },
      grid: { left: 8, right: 24, top: 48, bottom: 40, containLabel: true },
      legend: {
        top: 0,
        left: 0,
        type: 'scroll',
        icon: 'circle',
        itemWidth: 9,
        itemHeight: 9,
        textStyle: { color: palette.ink },
        pageTextStyle: { color: palette.soft },
      },
      tooltip: {
        // Drawn on the canvas: the page's policy lets no markup be styled in line.
        renderMode: 'richText',
        backgroundColor: palette.ground,
        borderColor: palette.line,
        textStyle: { color: palette.ink, fontSize: 13, lineHeight: 19 },
        formatter: ({ data }: { data: Dot }) => describe(data, current, now),
      },
      xAxis: {
        type: wide ? 'log' : 'value',
        logBase: 2,
        name: axis === 'cores' ? 'Cores' : 'Memory, GiB',
        nameLocation: 'middle',
        nameGap: 28,
        scale: true,
        ...axisStyle,
        splitLine: { show: false },
      },
      yAxis: {
        type: 'value',
        name: 'US dollars per hour',
        min: 0,
        ...axisStyle,
        nameTextStyle: { ...axisStyle.nameTextStyle, align: 'left' },
        axisLabel: {
          ...axisStyle.axisLabel,
          formatter: (value: number) => `$${Number(value.toPrecision(3))}`,
        },
      },
      series: [
        ...providers.map((provider) => ({
          name: provider,
          type: 'scatter',
          symbolSize: 9,
          itemStyle: { color: palette.kinds[order.indexOf(provider) % palette.kinds.length], opacity: 0.75 },
          emphasis: { scale: 1.5, itemStyle: { opacity: 1 } },
          data: byProvider
            .get(provider)!
            .map((candidate): Dot => ({ value: [sizeIn(candidate), candidate.pricePerHour], candidate })),
        })),
        {
          name: 'Cheapest frontier',
          type: 'line',
          step: 'start',
          symbol: 'none',
          silent: true,
          lineStyle: { color: palette.accent, width: 2, type: 'dashed' },
          itemStyle: { color: palette.accent },
          data: frontier.map(({ size, price }) => [size, price]),
        },
        {
          name: 'Now',
          type: 'scatter',
          symbol: 'diamond',
          symbolSize: 18,
          itemStyle: { color: palette.ink, borderColor: palette.ground, borderWidth: 2 },
          label: { show: true, formatter: 'now', position: 'bottom', color: palette.ink, fontWeight: 600 },
          z: 5,
          data: [{ value: [sizeIn(now), current.cost_per_hour] } satisfies Dot],
        },
      ],
    }
  }
}

function describe({ candidate }: Dot, current: Answer['current'], now: Size): string {
  if (candidate === undefined) {
    return `${current.instance_type} today\n${cores(now.cores)}, ${gib(now.gib)}\n${hourly(current.cost_per_hour)} per hour`
  }
  const { type, provider, region, usageType, term, pricePerHour, savesPercent } = candidate
  return [
    `${type}, ${provider}`,
    `${region}, ${paidAs(usageType, term)}`,
    `${cores(candidate.cores)}, ${gib(candidate.gib)}`,
    `${hourly(pricePerHour)} per hour, saves ${percent(savesPercent)}`,
  ].join('\n')
}
