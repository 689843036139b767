import { paidAs } from '../compare/candidates.ts'
import { Badge } from '../parts/badge.tsx'
import type { Column } from '../parts/column.ts'
import { ago, count, day, hourly } from '../parts/figures.ts'
import type { Catalogue, QuarantineRow, RuleRow, SourceRow } from './page.tsx'

type ProviderRow = Catalogue['providers'][number]

const msPerDay = 86_400_000

/** Prices seldom move within a month or two; after a year nobody should trust them unseen. */
function Age({ of }: { of: string | null }) {
  if (of === null) return <>–</>
  const days = (Date.now() - new Date(of).getTime()) / msPerDay
  const tone = days < 120 ? 'good' : days < 365 ? undefined : 'warn'
  return <Badge tone={tone}>{ago(of, Date.now())}</Badge>
}

const outcomes = {
  fresh: 'New prices',
  unchanged: 'Unchanged',
  refused: 'Refused',
  failed: 'Failed',
  'needs-credential': 'Needs a credential',
} as const

function Refresh({ of }: { of: ProviderRow['refresh'] }) {
  if (of === null) return <span className="note">As shipped</span>
  const tone = of.outcome === 'fresh' || of.outcome === 'unchanged' ? 'good' : 'warn'
  return (
    <span className="two-lines">
      <span>
        <Badge tone={tone}>{outcomes[of.outcome]}</Badge>
      </span>
      <span>
        {ago(of.at, Date.now())}
        {of.reason !== '' && `: ${of.reason}`}
      </span>
    </span>
  )
}

const figure = (id: keyof ProviderRow & ('offers' | 'types' | 'regions'), header: string) => ({
  id,
  header,
  value: (row: ProviderRow) => row[id],
  cell: (row: ProviderRow) => count(row[id]),
  number: true,
})

export const providerColumns: readonly Column<ProviderRow>[] = [
  {
    id: 'provider',
    header: 'Provider',
    value: ({ provider }) => provider,
    cell: ({ provider }) => <b>{provider}</b>,
  },
  figure('offers', 'Prices'),
  figure('types', 'Types'),
  figure('regions', 'Regions'),
  { id: 'currency', header: 'Currency', value: ({ currency }) => currency, extra: true },
  {
    id: 'newest',
    header: 'Newest',
    value: ({ newest_day }) => newest_day,
    cell: ({ newest_day }) => <Age of={newest_day} />,
  },
  {
    id: 'oldest',
    header: 'Oldest',
    value: ({ oldest_day }) => oldest_day,
    cell: ({ oldest_day }) => day(oldest_day),
    minor: true,
  },
  {
    id: 'quarantined',
    header: 'Quarantined',
    value: ({ quarantined }) => quarantined.length,
    cell: ({ quarantined }) => count(quarantined.length),
    number: true,
    minor: true,
  },
  {
    id: 'refresh',
    header: 'Last refresh',
    value: ({ refresh }) => refresh?.at ?? null,
    cell: ({ refresh }) => <Refresh of={refresh} />,
    minor: true,
  },
]

export const sourceColumns: readonly Column<SourceRow>[] = [
  { id: 'provider', header: 'Provider', value: ({ provider }) => provider },
  {
    id: 'source',
    header: 'Source',
    value: ({ source }) => source,
    cell: ({ source }) => <span className="wrap">{source}</span>,
  },
  { id: 'day', header: 'Prices of', value: (row) => row.day, cell: (row) => day(row.day) },
  { id: 'age', header: 'Age', value: (row) => row.day, cell: (row) => <Age of={row.day} />, minor: true },
  { id: 'rows', header: 'Prices', value: ({ rows }) => rows, cell: ({ rows }) => count(rows), number: true },
]

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
        </span>
      </span>
    ),
  },
  { id: 'provider', header: 'Provider', value: ({ provider }) => provider, minor: true },
  { id: 'region', header: 'Region', value: ({ region }) => region },
  {
    id: 'price',
    header: 'Listed',
    value: (row) => row.cost_per_hour,
    cell: (row) => `${hourly(row.cost_per_hour)}/h`,
    number: true,
  },
  {
    id: 'median',
    header: 'Elsewhere',
    value: (row) => row.median_per_hour,
    cell: (row) => `${hourly(row.median_per_hour)}/h`,
    number: true,
  },
  {
    id: 'reason',
    header: 'Why',
    value: ({ reason }) => reason,
    cell: ({ reason }) => <span className="wrap">{reason}</span>,
    minor: true,
  },
]

export const ruleColumns: readonly Column<RuleRow>[] = [
  { id: 'provider', header: 'Provider', value: ({ provider }) => provider },
  { id: 'kind', header: 'What', value: ({ kind }) => kind },
  {
    id: 'rule',
    header: 'By which rule',
    value: ({ rule }) => rule,
    cell: ({ rule }) => <span className="wrap">{rule}</span>,
  },
  {
    id: 'types',
    header: 'Types',
    value: ({ types }) => types,
    cell: ({ types }) => count(types),
    number: true,
  },
  { id: 'rows', header: 'Prices', value: ({ rows }) => rows, cell: ({ rows }) => count(rows), number: true },
]
