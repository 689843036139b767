import { paidAs } from '../compare/candidates.ts'
import { count, hourly } from '../parts/figures.ts'
import type { Column } from '../parts/table/column.ts'
import type { QuarantineRow, RuleRow } from './tables.ts'

export const quarantineColumns: readonly Column<QuarantineRow>[] = [
  {
    id: 'type',
    header: 'Type',
    value: (row) => row.instance_type,
    cell: (row) => (
      <span className="two-lines">
        <b>{row.instance_type}</b>
        <span>
          {row.operating_system}, {paidAs(row.usage_type, row.term)}
          <span className="only-narrow">
            <br />
            {row.region}
            <br />
            {row.reason}
          </span>
        </span>
      </span>
    ),
    fill: true,
  },
  { id: 'provider', header: 'Provider', value: ({ provider }) => provider, minor: true },
  { id: 'region', header: 'Region', value: ({ region }) => region, minor: true },
  {
    id: 'price',
    header: 'Listed',
    unit: 'USD/h',
    value: (row) => row.cost_per_hour,
    cell: (row) => (
      <span className="two-lines">
        {hourly(row.cost_per_hour)}/h
        <span className="only-narrow">elsewhere {hourly(row.median_per_hour)}/h</span>
      </span>
    ),
    number: true,
  },
  {
    id: 'median',
    header: 'Elsewhere',
    unit: 'USD/h',
    value: (row) => row.median_per_hour,
    cell: (row) => `${hourly(row.median_per_hour)}/h`,
    number: true,
    minor: true,
  },
  {
    id: 'reason',
    header: 'Why',
    value: ({ reason }) => reason,
    minor: true,
  },
]

export const ruleColumns: readonly Column<RuleRow>[] = [
  { id: 'provider', header: 'Provider', value: ({ provider }) => provider, minor: true },
  { id: 'kind', header: 'What', value: ({ kind }) => kind, minor: true },
  {
    id: 'rule',
    header: 'Rule',
    value: ({ rule }) => rule,
    cell: ({ rule, provider, kind }) => (
      <span className="two-lines">
        <span className="as-text">{rule}</span>
        <span className="only-narrow">
          {provider}, {kind}
        </span>
      </span>
    ),
    fill: true,
  },
  {
    id: 'types',
    header: 'Types',
    value: ({ types }) => types,
    cell: ({ types }) => count(types),
    number: true,
    minor: true,
  },
  { id: 'rows', header: 'Prices', value: ({ rows }) => rows, cell: ({ rows }) => count(rows), number: true },
]
