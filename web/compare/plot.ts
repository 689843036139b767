import type { EChartsCoreOption } from 'echarts/core'
import { savedPercentOfMonth } from '../../src/domain/money.ts'
import { amountAxis, axisStyle, tooltipStyle } from '../charts/chart-style.ts'
import { kindCount, type Palette } from '../charts/palette.ts'
import { toCurrency } from '../parts/currency.ts'
import { cores, gib, money, percent, small } from '../parts/figures.ts'
import { type Candidate, type ComparisonAnswer, paidAs, placeOf } from './candidates.ts'
import { frontierOf } from './frontier.ts'

export type Axis = 'speed' | 'cores' | 'memory'

interface Dot {
  readonly value: readonly [number, number]
  readonly candidate?: Candidate
}

/** Free space at both ends of an axis in powers of two. */
const margin = 0.6
const axisNames = {
  speed: 'Speed of all cores together, 1 is the current machine',
  cores: 'Cores',
  memory: 'Memory, GiB',
}

/** A provider always has the same colour. Providers beyond the last colour share it and are distinguished by name. */
export function colourOf(provider: string, known: readonly string[], shown: readonly string[]): number {
  const order = [...known.filter((name) => name !== 'Base'), ...shown.filter((name) => !known.includes(name))]
  return Math.min(Math.max(0, order.indexOf(provider)), kindCount - 1)
}

/** Plots price against size: the candidates by provider, the cheapest of each size, and the current machine. */
export function plotOf(
  current: ComparisonAnswer['current'],
  candidates: readonly Candidate[],
  axis: Axis,
  known: readonly string[],
) {
  const currentCores = current.vm?.cpu_cores ?? 1
  const sizeIn = (of: { cpu_cores: number; ram_gb: number }, ratio = 1) =>
    axis === 'memory' ? of.ram_gb : axis === 'cores' ? of.cpu_cores : (ratio * of.cpu_cores) / currentCores
  // Sizes double from one to the next; speeds do not.
  const placeIn = (size: number) => (axis === 'speed' ? size : Math.log2(size))
  const distinct = [...new Map(candidates.map((each) => [placeOf(each.offer), each])).values()]
  const dots = distinct.flatMap((candidate): (Dot & { candidate: Candidate })[] => {
    const { vm, cost_per_month, machine } = candidate.offer
    if (vm === null || (axis === 'speed' && machine.performance === null)) return []
    return [
      { value: [placeIn(sizeIn(vm, machine.performance?.ratio)), toCurrency(cost_per_month)], candidate },
    ]
  })
  const byProvider = Map.groupBy(dots, ({ candidate }) => candidate.offer.provider)
  const providers = [...byProvider.keys()].sort()
  const frontier = frontierOf(dots.map(({ value: [size, price] }) => ({ size, price })))
  const now = current.vm === null ? [] : [placeIn(sizeIn(current.vm))]
  const sizes = [...dots.map(({ value: [size] }) => size), ...now]

  return (palette: Palette): EChartsCoreOption => {
    const look = axisStyle(palette)
    return {
      textStyle: { fontFamily: palette.font },
      grid: { left: 8, right: 16, top: 28, bottom: 36, containLabel: true },
      tooltip: {
        ...tooltipStyle(palette),
        formatter: ({ data }: { data: Dot }) => describe(data, current),
      },
      xAxis: {
        type: 'value',
        ...(axis === 'speed'
          ? { min: 0 }
          : {
              min: Math.min(...sizes) - margin,
              max: Math.max(...sizes) + margin,
              minInterval: 1,
              maxInterval: 1,
            }),
        name: axisNames[axis],
        nameLocation: 'middle',
        nameGap: 28,
        ...look,
        axisLabel: {
          ...look.axisLabel,
          formatter: (at: number) =>
            axis === 'speed' ? `${small(at)}×` : Number.isInteger(at) ? small(2 ** at) : '',
        },
        splitLine: { show: false },
      },
      yAxis: { ...amountAxis(palette, 'month'), min: 0 },
      series: [
        ...providers.map((provider) => ({
          name: provider,
          type: 'scatter',
          symbolSize: 9,
          itemStyle: { color: palette.kinds[colourOf(provider, known, providers)], opacity: 0.75 },
          emphasis: { scale: 1.5, itemStyle: { opacity: 1 } },
          data: byProvider.get(provider)!,
        })),
        {
          type: 'line',
          // The line rises where the next size begins, so that no candidate is below it.
          step: 'end',
          symbol: 'none',
          silent: true,
          lineStyle: { color: palette.accent, width: 2, type: 'dashed' },
          itemStyle: { color: palette.accent },
          data: frontier.map(({ size, price }) => [size, price]),
        },
        {
          type: 'scatter',
          symbol: 'diamond',
          symbolSize: 18,
          itemStyle: { color: palette.ink, borderColor: palette.ground, borderWidth: 2 },
          label: { show: true, formatter: 'now', position: 'bottom', color: palette.ink, fontWeight: 600 },
          z: 5,
          data: now.map((size): Dot => ({ value: [size, toCurrency(current.cost_per_month)] })),
        },
      ],
    }
  }
}

function describe({ candidate }: Dot, current: ComparisonAnswer['current']): string {
  const { vm } = candidate?.offer ?? current
  const size = `${cores(vm?.cpu_cores)}, ${gib(vm?.ram_gb)}`
  if (candidate === undefined)
    return `${current.instance_type || 'Custom size'} today\n${size}\n${money(current.cost_per_month)} per month`
  const { instance_type, provider, region, usage_type, term, cost_per_month } = candidate.offer
  return [
    `${instance_type}, ${provider}`,
    `${region}, ${paidAs(usage_type, term)}`,
    size,
    `${money(cost_per_month)} per month, saves ${percent(savedPercentOfMonth(candidate.offer))}`,
  ].join('\n')
}
