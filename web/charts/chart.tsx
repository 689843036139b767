import type { EChartsCoreOption, EChartsType } from 'echarts/core'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { useSignal } from '../state/signal.ts'
import { painted } from '../state/theme.ts'
import { type Palette, readPalette } from './palette.ts'

interface Props {
  /** Describes the chart for users who cannot see it. A table next to it contains the figures. */
  readonly label: string
  readonly height: number
  readonly option: (palette: Palette) => EChartsCoreOption
  readonly onClick?: ((data: unknown) => void) | undefined
  /** Called with the values of the horizontal axis between which somebody has dragged. */
  readonly onRange?: ((from: number, to: number) => void) | undefined
  /** Charts of a group show their values at the same time. */
  readonly group?: string | undefined
}

/** A chart. The library is loaded with the first one. */
export function Chart({ label, height, option, onClick, onRange, group }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [chart, setChart] = useState<EChartsType>()
  const [failed, setFailed] = useState(false)
  const colours = useSignal(painted)
  const click = useRef(onClick)
  click.current = onClick

  useEffect(() => {
    let made: EChartsType | undefined
    let gone = false
    const resized = new ResizeObserver(() => made?.resize())
    import('./echarts.ts').then(
      ({ connect, init }) => {
        if (gone) return
        made = init(box.current!)
        if (group !== undefined) {
          made.group = group
          connect(group)
        }
        made.on('click', ({ data }) => click.current?.(data))
        resized.observe(box.current!)
        setChart(made)
      },
      () => setFailed(true),
    )
    return () => {
      gone = true
      resized.disconnect()
      made?.dispose()
      setChart(undefined)
    }
  }, [group])
  const dragging = useDragging(chart, onRange)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the chart is drawn again when colours change
  useEffect(() => {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    chart?.setOption(
      { animation: !still, animationDuration: 250, ...option(readPalette()) },
      { notMerge: true },
    )
  }, [chart, option, colours])

  return (
    <div
      className="chart"
      data-height={height}
      data-ready={chart !== undefined}
      ref={(node) => setHeight(node, height)}
      {...dragging.handlers}
    >
      <div ref={box} role="img" aria-label={label} />
      {dragging.range !== undefined && <span className="chart-range" style={dragging.range} />}
      {failed && <p className="note">The chart could not be loaded; the table shows the same figures.</p>}
    </div>
  )
}

/** A mouse chooses a range by dragging; a finger scrolls the page. */
function useDragging(chart: EChartsType | undefined, onRange: Props['onRange']) {
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number }>()
  if (onRange === undefined || chart === undefined) return { handlers: {}, range: undefined }
  const placeOf = (event: PointerEvent<HTMLDivElement>) =>
    event.clientX - event.currentTarget.getBoundingClientRect().left
  const [left = 0, right = 0] = drag === undefined ? [] : [drag.from, drag.to].sort((a, b) => a - b)
  return {
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
        if (event.button !== 0 || event.pointerType !== 'mouse') return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ from: placeOf(event), to: placeOf(event) })
      },
      onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
        if (drag !== undefined) setDrag({ ...drag, to: placeOf(event) })
      },
      onPointerUp: () => {
        setDrag(undefined)
        if (right - left < minDragPixels) return
        const [from, to] = [left, right].map((x) => chart.convertFromPixel({ xAxisIndex: 0 }, x))
        onRange(Number(from), Number(to))
      },
      onPointerCancel: () => setDrag(undefined),
    },
    range: drag && { left, width: right - left },
  }
}

const minDragPixels = 8

function setHeight(node: HTMLElement | null, height: number): void {
  node?.style.setProperty('--height', `${height}px`)
}
