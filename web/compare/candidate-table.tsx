import { useMemo } from 'react'
import type { Column } from '../parts/column.ts'
import { DataTable } from '../parts/data-table.tsx'
import { cores, day, gib, hourlyColumn, money, percent, small } from '../parts/figures.ts'
import { type Candidate, paidAs } from './candidates.ts'
import { useProviders } from './questions.ts'

interface Props {
  readonly candidates: readonly Candidate[]
  readonly onOpen: (candidate: Candidate) => void
}

export function CandidateTable({ candidates, onOpen }: Props) {
  const providers = useProviders().data
  const columns = useMemo(() => {
    const known = new Set(Object.values(providers ?? {}).map(({ provider }) => provider))
    const dearest = Math.max(...candidates.map(({ pricePerHour }) => pricePerHour))
    return columnsOf(hourlyColumn(dearest), (row) => known.has(row.provider), onOpen)
  }, [candidates, onOpen, providers])
  return (
    <DataTable
      name="candidates"
      caption="Candidates"
      columns={columns}
      rows={candidates}
      rowId={({ id }) => id}
      firstSort={cheapestFirst}
      dense
    />
  )
}

const cheapestFirst = { id: 'price', desc: false }

function columnsOf(
  price: (value: number) => string,
  hasHistory: (candidate: Candidate) => boolean,
  onOpen: (candidate: Candidate) => void,
): readonly Column<Candidate>[] {
  return [
    {
      id: 'type',
      header: 'Type',
      value: ({ type }) => type,
      cell: (row) => (
        <span className="two-lines">
          {hasHistory(row) ? (
            <button type="button" className="link" title="Price history" onClick={() => onOpen(row)}>
              {row.type}
            </button>
          ) : (
            <b>{row.type}</b>
          )}
          <span className="only-narrow">
            {row.provider}, {row.region}
            <br />
            {cores(row.cores)}, {gib(row.gib)}
            <br />
            {paidAs(row.usageType, row.term)}
          </span>
          <span className="not-narrow">{row.architecture}</span>
        </span>
      ),
      fill: true,
    },
    { id: 'provider', header: 'Provider', value: ({ provider }) => provider, extra: true },
    {
      id: 'region',
      header: 'Region',
      value: ({ region, zone }) => (zone === '' ? region : `${region} ${zone}`),
      cell: ({ region, zone, provider }) => (
        <span className="two-lines">
          {region}
          <span>{zone === '' ? provider : `${provider}, ${zone}`}</span>
        </span>
      ),
      minor: true,
    },
    {
      id: 'paid',
      header: 'Paid as',
      value: ({ usageType, term }) => paidAs(usageType, term),
      cell: ({ usageType, term }) => (
        <span className="two-lines">
          {paidAs(usageType)}
          {term !== '' && <span>{term.replaceAll('-', ' ')}</span>}
        </span>
      ),
      minor: true,
    },
    {
      id: 'day',
      header: 'Price of',
      value: (row) => row.day,
      cell: (row) => <span title={row.source}>{day(row.day)}</span>,
      extra: true,
    },
    {
      id: 'cores',
      header: 'Cores',
      value: (row) => row.cores,
      cell: (row) => small(row.cores),
      number: true,
      minor: true,
    },
    {
      id: 'memory',
      header: 'Memory',
      value: (row) => row.gib,
      cell: (row) => gib(row.gib),
      number: true,
      minor: true,
    },
    {
      id: 'price',
      header: 'Per hour',
      value: ({ pricePerHour }) => pricePerHour,
      cell: ({ pricePerHour }) => price(pricePerHour),
      number: true,
    },
    {
      id: 'saves',
      header: 'Saves',
      value: ({ savesPercent }) => savesPercent,
      cell: ({ savesPercent, savesPerYear }) => (
        <span className="two-lines">
          <span className="good">{percent(savesPercent)}</span>
          <span className="only-narrow">{money(savesPerYear)}/y</span>
        </span>
      ),
      number: true,
    },
    {
      id: 'year',
      header: 'Saving per year',
      value: ({ savesPerYear }) => savesPerYear,
      cell: ({ savesPerYear }) => <span className="good">{money(savesPerYear)}</span>,
      number: true,
      minor: true,
    },
  ]
}
