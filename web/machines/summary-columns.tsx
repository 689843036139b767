import { effortNames } from '../compare/words.ts'
import { Badge } from '../parts/badge.tsx'
import { cores, gib, moment, money, percent } from '../parts/figures.ts'
import { Link } from '../parts/link.tsx'
import type { Column } from '../parts/table/column.ts'
import { addressOf } from '../state/router.ts'
import { type MachineRow, machineText } from './machine-row.ts'

export const machineColumns = (
  params: URLSearchParams,
  providerName: (key: string) => string,
): readonly Column<MachineRow>[] => [
  {
    id: 'vm',
    header: 'Machine',
    value: ({ vm, metadata }) => `${vm} ${machineText(metadata, providerName)}`,
    cell: ({ vm, summary, metadata, silentSince }) => (
      <span className="two-lines">
        <span className="with-badge as-text">
          <Link href={addressOf(['machines', vm], params)}>{vm}</Link>
          {summary.idle === true && <Badge tone="warn">idle</Badge>}
          {silentSince !== undefined && <Badge tone="bad">silent</Badge>}
        </span>
        <span>{machineText(metadata, providerName)}</span>
        {silentSince !== undefined && <span>No usage since {moment(silentSince)}</span>}
      </span>
    ),
  },
  {
    id: 'cpu',
    header: 'CPU: has, needs',
    value: ({ needed }) => needed.cores,
    cell: ({ needed, metadata }) => <HasNeeds has={cores(metadata?.cpucores)} needs={cores(needed.cores)} />,
    exported: [
      { header: 'CPU: has', unit: 'cores', value: ({ metadata }) => metadata?.cpucores ?? null },
      { header: 'CPU: needs', unit: 'cores', value: ({ needed }) => needed.cores },
    ],
    number: true,
    minor: true,
  },
  {
    id: 'memory',
    header: 'Memory: has, needs',
    value: ({ needed }) => needed.gib,
    cell: ({ needed, metadata }) => <HasNeeds has={gib(metadata?.ramgiB)} needs={gib(needed.gib)} />,
    exported: [
      { header: 'Memory: has', unit: 'GiB', value: ({ metadata }) => metadata?.ramgiB ?? null },
      { header: 'Memory: needs', unit: 'GiB', value: ({ needed }) => needed.gib },
    ],
    number: true,
    minor: true,
  },
  {
    id: 'now',
    header: 'Cost/month',
    unit: 'USD',
    value: ({ costPerMonth }) => costPerMonth,
    cell: ({ costPerMonth, summary }) =>
      costPerMonth === null ? (
        '–'
      ) : (
        <span className="two-lines">
          {money(costPerMonth)}
          <PriceSource of={summary.rehost!.priceSource} />
        </span>
      ),
    number: true,
  },
  {
    id: 'fits',
    header: 'Recommended',
    value: ({ best, isRemovable }) => (isRemovable ? 'remove it' : (best?.offer.instance_type ?? null)),
    cell: ({ best, isRemovable, isCompared }) =>
      isRemovable ? (
        <span className="two-lines">
          Remove it
          {best !== undefined && <span>or {best.offer.instance_type}, if it is a standby</span>}
        </span>
      ) : best === undefined ? (
        <span className="note">{isCompared ? 'none costs less' : 'not compared yet'}</span>
      ) : (
        <span className="two-lines">
          {best.offer.instance_type}
          <span>
            {effortNames[best.effort]}, {best.offer.provider} {best.offer.region}
          </span>
        </span>
      ),
    minor: true,
  },
  {
    id: 'savings',
    header: 'Saves/month',
    unit: 'USD',
    value: ({ savedPerMonth }) => savedPerMonth ?? null,
    cell: ({ savedPerMonth, costPerMonth }) =>
      savedPerMonth === undefined ? (
        '–'
      ) : (
        <span className="two-lines">
          <span className="good">{money(savedPerMonth)}</span>
          <span>{percent((100 * savedPerMonth) / costPerMonth!)}</span>
        </span>
      ),
    number: true,
  },
]

function HasNeeds({ has, needs }: { has: string; needs: string }) {
  return (
    <span className="two-lines">
      {has === '–' ? 'size not known' : has}
      <span>needs {needs}</span>
    </span>
  )
}

const sources = {
  list: 'list price',
  rule: 'list price with your rules',
  own: 'your price',
  metric: 'from metrics',
  commitment: 'your commitments',
  base: 'estimate',
} as const

/** Shows where a price comes from, and marks estimates. */
export function PriceSource({ of }: { of: keyof typeof sources }) {
  return <span>{of === 'base' ? <Badge tone="warn">{sources[of]}</Badge> : sources[of]}</span>
}
