import type { EChartsCoreOption, EChartsType } from 'echarts/core'
import { useEffect, useRef, useState } from 'react'
import { useSignal } from '../state/signal.ts'
import { painted } from '../state/theme.ts'
import { type Palette, readPalette } from './palette.ts'

interface Props {
  /** Describes the chart for users who cannot see it. A table next to it contains the figures. */
  readonly label: string
  readonly height: number
  readonly option: (palette: Palette) => EChartsCoreOption
  readonly onClick?: ((data: unknown) => void) | undefined
}

/** A chart. The library is loaded with the first one. */
export function Chart({ label, height, option, onClick }: Props) {
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
      ({ init }) => {
        if (gone) return
        made = init(box.current!)
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
  }, [])

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
    >
      <div ref={box} role="img" aria-label={label} />
      {failed && <p className="note">The chart could not be loaded; the table shows the same figures.</p>}
    </div>
  )
}

function setHeight(node: HTMLElement | null, height: number): void {
  node?.style.setProperty('--height', `${height}px`)
}
