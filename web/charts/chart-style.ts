import { currency, currencyName } from '../parts/currency.ts'
import { axisAmount } from '../parts/figures.ts'
import type { Palette } from './palette.ts'

/** Tooltips are drawn on the canvas, because the page's content security policy forbids inline styles. */
export const tooltipStyle = (palette: Palette) => ({
  renderMode: 'richText' as const,
  backgroundColor: palette.ground,
  borderColor: palette.line,
  textStyle: { color: palette.ink, fontSize: 13, lineHeight: 19 },
})

export const axisStyle = (palette: Palette) => ({
  nameTextStyle: { color: palette.soft, fontSize: 12 },
  axisLabel: { color: palette.soft, fontSize: 12, hideOverlap: true },
  axisLine: { lineStyle: { color: palette.line } },
  axisTick: { show: false },
  splitLine: { lineStyle: { color: palette.line, opacity: 0.6 } },
})

/** The axis uses the selected currency, so that its ticks are round numbers. The data must be in that currency too. */
export const amountAxis = (palette: Palette, per?: 'hour' | 'month') => {
  const look = axisStyle(palette)
  return {
    type: 'value',
    ...(per === undefined ? {} : { name: `${currencyName(currency.get().code)} per ${per}` }),
    ...look,
    nameTextStyle: { ...look.nameTextStyle, align: 'left' },
    axisLabel: { ...look.axisLabel, formatter: axisAmount },
  }
}

/** On narrow screens, or beside a form, the legend takes two lines above the plot. */
export function legendSpace(): number {
  return matchMedia('(width < 600px), (1080px <= width < 1240px)').matches ? 84 : 60
}

export const legendStyle = (palette: Palette) => ({
  top: 0,
  left: 0,
  itemWidth: 12,
  itemHeight: 9,
  itemGap: 14,
  textStyle: { color: palette.ink },
})
