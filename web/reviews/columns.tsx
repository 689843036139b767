import { changePhrase } from '../../src/domain/machine-description.ts'
import { paidAs } from '../compare/candidates.ts'
import { effortNames } from '../compare/words.ts'
import { Badge } from '../parts/badge.tsx'
import { cores, gib, money, percent } from '../parts/figures.ts'
import type { Column } from '../parts/table/column.ts'
import type { Review, ReviewedChange, Suggestion } from './queries.ts'

type Side = ReviewedChange['after']

const tones: Partial<Record<ReviewedChange['action'], 'good' | 'warn' | 'bad'>> = {
  create: 'good',
  delete: 'bad',
  replace: 'warn',
}

const sideText = (side: Side): string =>
  side === null
    ? '–'
    : [...side.machines.map(({ instance_type: name, ...rest }) => ({ name, ...rest })), ...side.charges]
        .map(({ count, name, region }) => `${count === 1 ? '' : `${count} × `}${name}, ${region}`)
        .join('; ')

function Priced({ of }: { of: Side }) {
  if (of === null) return <>–</>
  return (
    <span className="two-lines">
      {money(of.cost_per_month)}
      <span>{sideText(of)}</span>
    </span>
  )
}

export const differenceColumn: Column<{ readonly difference_per_month: number }> = {
  id: 'difference',
  header: 'Difference',
  unit: 'USD',
  value: ({ difference_per_month }) => difference_per_month,
  cell: ({ difference_per_month: by }) => (
    <span className={by > 0 ? 'bad' : by < 0 ? 'good' : undefined}>
      {by > 0 && '+'}
      {money(by)}
    </span>
  ),
  number: true,
}

export const changeColumns: readonly Column<ReviewedChange>[] = [
  {
    id: 'address',
    header: 'Resource',
    value: ({ address }) => address,
    cell: ({ address, action, notes }) => (
      <span className="two-lines">
        <span className="with-badge as-text">
          <b>{address}</b> <Badge tone={tones[action]}>{action}</Badge>
        </span>
        {notes.length > 0 && <span className="as-note">{notes.join(' ')}</span>}
      </span>
    ),
    fill: true,
  },
  {
    id: 'before',
    header: 'Before/month',
    unit: 'USD',
    value: ({ before }) => before?.cost_per_month ?? 0,
    cell: ({ before }) => <Priced of={before} />,
    number: true,
    minor: true,
  },
  {
    id: 'after',
    header: 'After/month',
    unit: 'USD',
    value: ({ after }) => after?.cost_per_month ?? 0,
    cell: ({ after }) => <Priced of={after} />,
    number: true,
    minor: true,
  },
  differenceColumn,
]

export interface SuggestionRow extends Suggestion {
  readonly id: string
  readonly address: string
}

export const suggestionColumns: readonly Column<SuggestionRow>[] = [
  {
    id: 'address',
    header: 'Instead of',
    value: ({ address }) => address,
    cell: ({ address, changes }) => (
      <span className="two-lines">
        <span className="as-text">{address}</span>
        {changes.length > 0 && <span>{changes.map(changePhrase).join(', ')}</span>}
      </span>
    ),
  },
  { id: 'effort', header: 'Effort', value: ({ effort }) => effortNames[effort], minor: true },
  {
    id: 'type',
    header: 'Type',
    value: (row) => row.instance_type,
    cell: (row) => (
      <span className="two-lines">
        <b>
          {row.count === 1 ? '' : `${row.count} × `}
          {row.instance_type}
        </b>
        <span>
          {row.provider} {row.region}, {cores(row.cpu_cores)}, {gib(row.ram_gb)}
          {row.usage_type !== 'ONDEMAND' && `, ${paidAs(row.usage_type, row.term)}`}
        </span>
      </span>
    ),
  },
  {
    id: 'month',
    header: 'Per month',
    unit: 'USD',
    value: (row) => row.cost_per_month,
    cell: (row) => money(row.cost_per_month),
    number: true,
    minor: true,
  },
  {
    id: 'saves',
    header: 'Saves/month',
    unit: 'USD',
    value: (row) => row.savings_per_month,
    cell: (row) => (
      <span className="two-lines">
        <span className="good">{money(row.savings_per_month)}</span>
        <span>{percent(row.savings_percentage)}</span>
      </span>
    ),
    number: true,
  },
]

export type OpenRow = Review['unpriced'][number]

export const openColumns: readonly Column<OpenRow>[] = [
  {
    id: 'address',
    header: 'Resource',
    value: ({ address }) => address,
    cell: ({ address, action, may_raise_cost }) => (
      <span className="with-badge">
        {address} <Badge tone={may_raise_cost ? 'warn' : undefined}>{action}</Badge>
      </span>
    ),
  },
  { id: 'reason', header: 'Why', value: ({ reason }) => reason, fill: true },
]
