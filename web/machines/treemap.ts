import type { EChartsCoreOption } from 'echarts/core'
import { tooltipStyle } from '../charts/chart-style.ts'
import type { Palette } from '../charts/palette.ts'
import { money } from '../parts/figures.ts'
import type { Process } from './queries.ts'

/** Each group always has the same colour. */
const kinds = { kubernetes: 1, docker: 7, user: 4, system: 2, unknown: 8 } as const

export interface Group {
  readonly name: string
  readonly kind: number
  readonly spend: number
}

/** Returns the groups that occur, most expensive first. */
export function groupsOf(rows: readonly Process[]): Group[] {
  return [...Map.groupBy(rows, ({ processGroup }) => processGroup)]
    .map(([name, of]) => ({
      name,
      kind: kinds[name],
      spend: of.reduce((sum, { currentSpend }) => sum + currentSpend, 0),
    }))
    .sort((a, b) => b.spend - a.spend)
}

/** Draws processes as areas by cost, coloured by group. */
export function treemapOf(rows: readonly Process[]) {
  const byGroup = Map.groupBy(rows, ({ processGroup }) => processGroup)
  return (palette: Palette): EChartsCoreOption => ({
    textStyle: { fontFamily: palette.font },
    tooltip: {
      ...tooltipStyle(palette),
      formatter: ({ name, value, data }: { name: string; value: number; data: { cgroup?: string } }) =>
        [name, data.cgroup, money(value)].filter(Boolean).join('\n'),
    },
    series: [
      {
        type: 'treemap',
        left: 0,
        right: 0,
        top: 0,
        bottom: 0,
        roam: false,
        nodeClick: false,
        breadcrumb: { show: false },
        label: {
          formatter: ({ name, value }: { name: string; value: number }) => `${name}\n${money(value)}`,
          fontSize: 13,
          lineHeight: 17,
          color: '#fff',
          textBorderWidth: 0,
        },
        itemStyle: { borderColor: palette.ground, borderWidth: 1, gapWidth: 2 },
        levels: [
          { itemStyle: { borderWidth: 0, gapWidth: 4 } },
          { itemStyle: { gapWidth: 2, borderWidth: 0 }, upperLabel: { show: false } },
        ],
        data: [...byGroup].map(([group, of]) => ({
          name: group,
          itemStyle: { color: dark[kinds[group] - 1] },
          children: of
            .filter(({ currentSpend }) => currentSpend > 0)
            .map(({ process, currentSpend, cgroup }) => ({ name: process, value: currentSpend, cgroup })),
        })),
      },
    ],
  })
}

/** Background colours for white text, in both themes. The legend in styles/machines.css uses the same ones. */
const dark = ['#35618f', '#9a5222', '#2f7356', '#7a4f9e', '#7a6b0f', '#a03a63', '#246c77', '#5d6167']
