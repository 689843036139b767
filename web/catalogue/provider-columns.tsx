import { Badge } from '../parts/badge.tsx'
import { ago, count, day } from '../parts/figures.ts'
import type { Column } from '../parts/table/column.ts'
import { Age } from './age.tsx'
import type { Catalogue } from './tables.ts'

type ProviderRow = Catalogue['providers'][number]

const outcomes = {
  fresh: 'New prices',
  unchanged: 'Unchanged',
  refused: 'Refused',
  failed: 'Failed',
  'needs-credential': 'Credential required',
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

const figure = (id: keyof ProviderRow & ('offers' | 'types' | 'regions'), header: string, minor = true) => ({
  id,
  minor,
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
    cell: ({ provider, types, regions }) => (
      <span className="two-lines">
        <b className="unbroken">{provider}</b>
        <span className="only-narrow">
          {count(types)} types, {count(regions)} regions
        </span>
      </span>
    ),
  },
  figure('offers', 'Prices', false),
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
    extra: true,
  },
  {
    id: 'refresh',
    header: 'Last refresh',
    value: ({ refresh }) => refresh?.at ?? null,
    cell: ({ refresh }) => <Refresh of={refresh} />,
    minor: true,
  },
]
