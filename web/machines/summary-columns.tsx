import { Link } from '../app/link.tsx'
import { addressOf } from '../app/router.ts'
import { Badge } from '../parts/badge.tsx'
import type { Column } from '../parts/column.ts'
import { cores, gib, hourly, money, percent } from '../parts/figures.ts'
import type { Summary } from './questions.ts'

export const summaryColumns: readonly Column<Summary>[] = [
  {
    id: 'vm',
    header: 'Machine',
    value: ({ vm }) => vm,
    cell: ({ vm, idle }) => (
      <span className="with-badge">
        <Link href={addressOf(['machines', vm])}>{vm}</Link>
        {idle === true && <Badge tone="warn">idle</Badge>}
      </span>
    ),
  },
  {
    id: 'cpu',
    header: 'CPU',
    value: ({ totalRecommendedCPU }) => totalRecommendedCPU,
    cell: (row) => <NowThen now={cores(row.totalCurrentCPU)} then={cores(row.totalRecommendedCPU)} />,
    number: true,
    minor: true,
  },
  {
    id: 'memory',
    header: 'Memory',
    value: ({ totalRecommendedRAM }) => totalRecommendedRAM,
    cell: (row) => <NowThen now={gib(row.totalCurrentRAM)} then={gib(row.totalRecommendedRAM)} />,
    number: true,
    minor: true,
  },
  {
    id: 'used',
    header: 'Used then',
    value: ({ expectedUtilisationCPU }) => expectedUtilisationCPU,
    cell: (row) => (
      <span className="two-lines">
        {percent(row.expectedUtilisationCPU)}
        <span>{percent(row.expectedUtilisationRAM)} of memory</span>
      </span>
    ),
    number: true,
    minor: true,
  },
  {
    id: 'now',
    header: 'Cost now',
    value: ({ rehost }) => rehost?.currentCostPerHour ?? null,
    cell: ({ rehost }) =>
      rehost?.currentCostPerHour == null ? '–' : `${hourly(rehost.currentCostPerHour)}/h`,
    number: true,
  },
  {
    id: 'fits',
    header: 'Cheapest that fits',
    value: ({ rehost }) => rehost?.anywhere?.instanceType ?? null,
    cell: ({ rehost }) =>
      rehost?.anywhere == null ? (
        <span className="note">none known</span>
      ) : (
        <span className="two-lines">
          {rehost.anywhere.instanceType}
          <span>
            {rehost.anywhere.provider}, {hourly(rehost.anywhere.costPerHour)}/h
          </span>
        </span>
      ),
    minor: true,
  },
  {
    id: 'savings',
    header: 'Saves/month',
    value: ({ rehost }) => rehost?.anywhere?.savingsPerMonth ?? null,
    cell: ({ rehost }) => {
      const saved = rehost?.anywhere?.savingsPerMonth
      return saved == null ? '–' : <span className={saved >= 0 ? 'good' : 'bad'}>{money(saved)}</span>
    },
    number: true,
  },
]

function NowThen({ now, then }: { now: string; then: string }) {
  return (
    <span className="two-lines">
      {then}
      <span>uses {now}</span>
    </span>
  )
}
