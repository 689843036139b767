import { changePhrase } from '../../src/domain/machine-description.ts'
import { paidAs } from '../compare/candidates.ts'
import { effortNames } from '../compare/words.ts'
import { Badge } from '../parts/badge.tsx'
import { cores, gib, money, percent } from '../parts/figures.ts'
import type { Column } from '../parts/table/column.ts'
import type { Review, ReviewedChange } from './queries.ts'

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
        {notes.map((note) => (
          <span key={note} className="as-note">
            {note}
          </span>
        ))}
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

/** A cheaper machine or disk. */
export interface SuggestionRow {
  readonly id: string
  readonly address: string
  readonly replaces: string
  readonly effort: string
  readonly name: string
  readonly details: string
  readonly cost_per_month: number
  readonly savings_per_month: number
}

export const suggestionRows = ({
  address,
  after,
  suggestions,
  cheaper_disks,
}: ReviewedChange): SuggestionRow[] => [
  ...suggestions.map((row, i) => ({
    ...row,
    id: `${address} ${i}`,
    address,
    replaces: [after?.machines[row.replaces]?.instance_type, ...row.changes.map(changePhrase)].join(', '),
    effort: effortNames[row.effort],
    name: `${row.count === 1 ? '' : `${row.count} × `}${row.instance_type}`,
    details: [
      `${row.provider} ${row.region}`,
      cores(row.cpu_cores),
      gib(row.ram_gb),
      ...(row.usage_type === 'ONDEMAND' ? [] : [paidAs(row.usage_type, row.term)]),
    ].join(', '),
  })),
  ...cheaper_disks.map((row, i) => ({
    ...row,
    id: `${address} disk ${i}`,
    address,
    effort: 'Another disk type',
    name: `${row.count === 1 ? '' : `${row.count} × `}${row.type}`,
    details: row.is_less_durable ? 'Does the same, but is less durable' : 'Does the same',
  })),
]

export const suggestionColumns: readonly Column<SuggestionRow>[] = [
  {
    id: 'address',
    header: 'Instead of',
    value: ({ address }) => address,
    cell: ({ address, replaces }) => (
      <span className="two-lines">
        <span className="as-text">{address}</span>
        <span>{replaces}</span>
      </span>
    ),
  },
  { id: 'effort', header: 'Effort', value: ({ effort }) => effort, minor: true },
  {
    id: 'type',
    header: 'Type',
    value: ({ name }) => name,
    cell: ({ name, details }) => (
      <span className="two-lines">
        <b>{name}</b>
        <span>{details}</span>
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
    cell: ({ savings_per_month: saved, cost_per_month: cost }) => (
      <span className="two-lines">
        <span className="good">{money(saved)}</span>
        <span>{percent((100 * saved) / (saved + cost))}</span>
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
