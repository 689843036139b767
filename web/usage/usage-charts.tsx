import type { EChartsCoreOption } from 'echarts/core'
import { type ReactNode, useId } from 'react'
import { Chart } from '../charts/chart.tsx'
import { axisStyle, tooltipStyle } from '../charts/chart-style.ts'
import type { Palette } from '../charts/palette.ts'
import { dayShort } from '../parts/figures.ts'
import { Skeleton, Trouble } from '../parts/states.tsx'
import { setParams } from '../state/router.ts'
import { zoomTo } from './period.ts'
import type { useUsageReports } from './usage-reports.ts'

interface Props {
  readonly asked: ReturnType<typeof useUsageReports>
  readonly legend: ReactNode
  readonly note?: string
  /** Describes what the lines are, for users who cannot see them. */
  readonly label: string
  readonly cpu: ChartOption
  readonly memory: ChartOption
  /** Set where the address has the period, so that it can be changed. */
  readonly ofPeriod: boolean
}

export type ChartOption = (palette: Palette) => EChartsCoreOption

/** Shows CPU and memory over time, side by side, with the values of both at the place of the pointer. */
export function UsageCharts({ asked, legend, note = '', label, cpu, memory, ofPeriod }: Props) {
  const group = useId()
  const { isPending, error, refetch, reports, isCompared } = asked
  if (isPending) return <Skeleton lines={5} label="Loading usage" />
  if (error !== null) return <Trouble error={error} again={() => void refetch()} />
  if (reports.length === 0) return null
  return (
    <>
      <ul className="legend">
        {legend}
        {ofPeriod && isCompared && (
          <li>
            <span className="rule before" aria-hidden="true" /> previous period
          </li>
        )}
      </ul>
      <div className="usage-tools">
        {ofPeriod && (
          <label className="check">
            <input
              type="checkbox"
              checked={isCompared}
              onChange={() => setParams({ before: isCompared ? undefined : 'on' }, 'push')}
            />
            <span>Compare with the previous period</span>
          </label>
        )}
        <span className="note">
          {note}
          {ofPeriod && <span className="only-mouse"> Drag across a chart to zoom in on its days.</span>}
        </span>
      </div>
      <div className="spreads">
        {(
          [
            ['CPU', 'cores', cpu],
            ['Memory', 'GiB', memory],
          ] as const
        ).map(([name, unit, option]) => (
          <figure key={name}>
            <figcaption>
              <b>{name}</b> <span className="note">{unit}</span>
            </figcaption>
            <Chart
              label={`${name} over time ${label}`}
              height={210}
              option={option}
              group={group}
              onRange={ofPeriod ? zoomTo : undefined}
            />
          </figure>
        ))}
      </div>
    </>
  )
}

/** A line over time. */
export const lineOf = (name: string, color: string | undefined, data: unknown[], more: object = {}) => ({
  name,
  type: 'line',
  symbol: data.length === 1 ? 'circle' : 'none',
  lineStyle: { width: 2 },
  itemStyle: { color },
  data,
  ...more,
})

export const lineBefore = (palette: Palette, data: unknown[]) =>
  lineOf('previous period', palette.warn, data, { lineStyle: { width: 1.5, type: 'dotted' }, z: 4 })

/** `describe` says what to show at a time; undefined where nothing was measured. */
export const usageOption =
  (describe: (time: number) => string | undefined, series: (palette: Palette) => object[]): ChartOption =>
  (palette) => {
    const look = axisStyle(palette)
    return {
      textStyle: { fontFamily: palette.font },
      grid: { left: 4, right: 14, top: 12, bottom: 4, containLabel: true },
      tooltip: {
        ...tooltipStyle(palette),
        trigger: 'axis',
        confine: true,
        formatter: (points: { value: [number] }[]) =>
          points.map(({ value: [time] }) => describe(time)).find((text) => text !== undefined) ?? '',
      },
      xAxis: {
        type: 'time',
        ...look,
        splitLine: { show: false },
        axisLabel: { ...look.axisLabel, formatter: timeLabel },
      },
      yAxis: { type: 'value', min: 0, ...look },
      series: series(palette),
    }
  }

function timeLabel(time: number): string {
  const text = new Date(time).toISOString()
  return text.slice(11, 16) === '00:00' ? dayShort(text) : text.slice(11, 16)
}
