import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { catalogueQuery } from '../api/catalogue-query.ts'
import { ago, count, day, moment } from '../parts/figures.ts'
import { PageHead } from '../parts/page-head.tsx'
import { Skeleton, Trouble } from '../parts/states.tsx'
import { DataTable } from '../parts/table/data-table.tsx'
import { Tile } from '../parts/tile.tsx'
import { quarantineColumns, ruleColumns } from './left-out-columns.tsx'
import { providerColumns } from './provider-columns.tsx'
import { sourceColumns } from './source-columns.tsx'
import { type Catalogue, tablesOf } from './tables.ts'

/** Shows the sources and the age of prices. */
export default function CataloguePage() {
  const asked = useQuery(catalogueQuery)
  return (
    <>
      <PageHead
        title="Catalogue"
        text="Where the prices come from, how old they are, and what was left out."
      />
      {asked.isPending && <Skeleton lines={8} label="Loading the catalogue" />}
      {asked.error !== null && asked.data === undefined && (
        <Trouble error={asked.error} again={() => void asked.refetch()} />
      )}
      {asked.data !== undefined && <Contents catalogue={asked.data} />}
    </>
  )
}

function Contents({ catalogue }: { catalogue: Catalogue }) {
  const { sources, quarantined, rules, newest, oldest } = useMemo(() => tablesOf(catalogue), [catalogue])
  const { exchange } = catalogue
  return (
    <>
      <dl className="tiles">
        <Tile
          label="Prices"
          value={count(catalogue.offers)}
          note={`of ${count(catalogue.providers.length)} providers`}
        />
        <Tile label="Newest price" value={day(newest)} note={`the oldest in use is from ${day(oldest)}`} />
        <Tile label="Quarantined" value={count(quarantined.length)} note="implausibly low" />
        <Tile
          label="Built"
          value={ago(catalogue.built_at, Date.now())}
          note={
            exchange === null
              ? moment(catalogue.built_at)
              : `1 ${exchange.from} = ${exchange.rate} ${exchange.to} on ${day(exchange.day)}`
          }
        />
      </dl>
      <h2 className="section-title">Providers</h2>
      <DataTable
        name="providers"
        caption="Providers"
        columns={providerColumns}
        rows={catalogue.providers}
        rowId={({ provider_key }) => provider_key}
      />
      <h2 className="section-title">Sources</h2>
      <DataTable
        name="sources"
        caption="Sources"
        columns={sourceColumns}
        rows={sources}
        rowId={({ id }) => id}
        firstSort={newestFirst}
        pageSize={10}
      />
      <h2 className="section-title">Quarantined prices</h2>
      {quarantined.length === 0 ? (
        <p className="note">
          No price is quarantined: all are in line with the price of the same type elsewhere.
        </p>
      ) : (
        <DataTable
          name="quarantined"
          caption="Quarantined prices"
          columns={quarantineColumns}
          rows={quarantined}
          rowId={({ id }) => id}
          pageSize={10}
        />
      )}
      {rules.length > 0 && (
        <>
          <h2 className="section-title">Completed facts and left-out rows</h2>
          <DataTable
            name="rules"
            caption="Completed facts and left-out rows"
            columns={ruleColumns}
            rows={rules}
            rowId={({ id }) => id}
            pageSize={10}
          />
        </>
      )}
    </>
  )
}

const newestFirst = { id: 'day', desc: true }
