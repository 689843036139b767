import { currency, currencyName } from '../parts/currency.ts'
import { axisAmount } from '../parts/figures.ts'
import type { Palette } from './palette.ts'

/** Drawn on the canvas: the page's policy lets no markup be styled in line. */
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

/** Amounts in the currency of choice, so that its marks are round ones: data has to be in it too. */
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

/** Where there is little room, on a phone or beside a form, the legend has two lines above the plot. */
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
