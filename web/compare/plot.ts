import type { EChartsCoreOption } from 'echarts/core'
import { axisStyle, legendSpace, legendStyle, priceAxis, tooltipStyle } from '../charts/chart-style.ts'
import type { Palette } from '../charts/palette.ts'
import { cores, gib, hourly, percent, small } from '../parts/figures.ts'
import { type Answer, type Candidate, paidAs } from './candidates.ts'
import type { Size } from './comparison.ts'
import { frontierOf } from './frontier.ts'

export type Axis = 'cores' | 'memory'

interface Dot {
  readonly value: readonly [number, number]
  readonly candidate?: Candidate
}

const frontierName = 'Cheapest frontier'
const nowName = 'Now'
const dashes = 'path://M0 4h5v2H0zM7 4h5v2H7z'

/** The axis of sizes is in powers of two; so much is left free at its ends, and so far apart stand providers at one size. */
const margin = 0.6
const besideBy = 0.07

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
  const sizes = [...candidates.map(sizeIn), sizeIn(now)].map(Math.log2)

  return (palette: Palette): EChartsCoreOption => {
    const look = axisStyle(palette)
    return {
      textStyle: { fontFamily: palette.font },
      grid: { left: 8, right: 16, top: legendSpace(), bottom: 36, containLabel: true },
      legend: {
        ...legendStyle(palette),
        data: [
          ...providers.map((name) => ({ name, icon: 'circle' })),
          { name: frontierName, icon: dashes },
          { name: nowName, icon: 'diamond' },
        ],
      },
      tooltip: {
        ...tooltipStyle(palette),
        formatter: ({ data }: { data: Dot }) => describe(data, current, now),
      },
      xAxis: {
        type: 'value',
        min: Math.min(...sizes) - margin,
        max: Math.max(...sizes) + margin,
        minInterval: 1,
        maxInterval: 1,
        name: axis === 'cores' ? 'Cores' : 'Memory, GiB',
        nameLocation: 'middle',
        nameGap: 28,
        ...look,
        axisLabel: {
          ...look.axisLabel,
          formatter: (power: number) => (Number.isInteger(power) ? small(2 ** power) : ''),
        },
        splitLine: { show: false },
      },
      yAxis: priceAxis(palette),
      series: [
        ...providers.map((provider, i) => ({
          name: provider,
          type: 'scatter',
          symbolSize: 9,
          itemStyle: { color: palette.kinds[order.indexOf(provider) % palette.kinds.length], opacity: 0.75 },
          emphasis: { scale: 1.5, itemStyle: { opacity: 1 } },
          data: byProvider.get(provider)!.map((candidate): Dot => {
            const aside = (i - (providers.length - 1) / 2) * besideBy
            return { value: [Math.log2(sizeIn(candidate)) + aside, candidate.pricePerHour], candidate }
          }),
        })),
        {
          name: frontierName,
          type: 'line',
          step: 'start',
          symbol: 'none',
          silent: true,
          lineStyle: { color: palette.accent, width: 2, type: 'dashed' },
          itemStyle: { color: palette.accent },
          data: frontier.map(({ size, price }) => [Math.log2(size), price]),
        },
        {
          name: nowName,
          type: 'scatter',
          symbol: 'diamond',
          symbolSize: 18,
          itemStyle: { color: palette.ink, borderColor: palette.ground, borderWidth: 2 },
          label: { show: true, formatter: 'now', position: 'bottom', color: palette.ink, fontWeight: 600 },
          z: 5,
          data: [{ value: [Math.log2(sizeIn(now)), current.cost_per_hour] } satisfies Dot],
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
