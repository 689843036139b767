import type { EChartsCoreOption } from 'echarts/core'
import { amountAxis, axisStyle, legendSpace, legendStyle, tooltipStyle } from '../charts/chart-style.ts'
import type { Palette } from '../charts/palette.ts'
import { toCurrency, toUsDollars } from '../parts/currency.ts'
import { day, dayShort, hourly } from '../parts/figures.ts'
import { cornersOf, type PriceHistory, type PriceSeries, seriesName } from './price-steps.ts'

/** Number of intervals between dates on the time axis. */
const spans = 5

/** Draws prices as steps over time, one line per usage type, term and zone. */
export function historyPlot({ start_date, end_date }: PriceHistory, series: readonly PriceSeries[]) {
  const [start, end] = [Date.parse(start_date), Date.parse(end_date)]
  return (palette: Palette): EChartsCoreOption => {
    const look = axisStyle(palette)
    return {
      textStyle: { fontFamily: palette.font },
      grid: {
        left: 8,
        right: 24,
        top: series.length > 1 ? legendSpace() : 32,
        bottom: 8,
        containLabel: true,
      },
      legend: {
        ...legendStyle(palette),
        show: series.length > 1,
        icon: 'roundRect',
        itemHeight: 3,
        type: 'scroll',
      },
      tooltip: {
        ...tooltipStyle(palette),
        formatter: ({ seriesName: name, value }: { seriesName: string; value: [number, number] }) =>
          `${name}\n${hourly(toUsDollars(value[1]))} per hour\nfrom ${day(new Date(value[0]).toISOString())}`,
      },
      xAxis: {
        type: 'value',
        min: start,
        max: end,
        interval: (end - start) / spans,
        ...look,
        axisLabel: { ...look.axisLabel, formatter: dayAndMonth },
        splitLine: { show: false },
      },
      // Prices change by a few percent, which would be invisible on an axis that begins at zero.
      yAxis: { ...amountAxis(palette, 'hour'), scale: true, boundaryGap: ['20%', '20%'] },
      series: series.map((one, i) => ({
        name: seriesName(one),
        type: 'line',
        step: 'end',
        symbol: 'circle',
        symbolSize: 6,
        lineStyle: { width: 2 },
        itemStyle: { color: palette.kinds[i % palette.kinds.length] },
        data: cornersOf(one, start_date, end_date).map(([from, usd]) => [from, usd && toCurrency(usd)]),
      })),
    }
  }
}

const dayAndMonth = (time: number): string => dayShort(new Date(time).toISOString())
