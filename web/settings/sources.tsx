import { Badge } from '../parts/badge.tsx'
import { ago, moment } from '../parts/figures.ts'
import { Skeleton, Trouble } from '../parts/states.tsx'
import type { Column } from '../parts/table/column.ts'
import { DataTable } from '../parts/table/data-table.tsx'
import { type UsageSource, useSources } from '../usage/sources.ts'
import { SourceHealth } from './source-health.tsx'

/** Lists clusters and agents with the time of their last usage. */
export function Sources() {
  const asked = useSources()
  return (
    <div className="setting">
      <h2 className="section-title" id="sources-title">
        Clusters and agents
      </h2>
      {asked.isPending && <Skeleton lines={4} label="Loading clusters and agents" />}
      {asked.error !== null && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.data?.length === 0 && <p className="note">Nothing has sent usage yet.</p>}
      {asked.data !== undefined && asked.data.length > 0 && (
        <DataTable
          name="sources"
          caption="Clusters and agents"
          columns={columns}
          rows={asked.data}
          rowId={({ kind, name }) => `${kind} ${name}`}
          pageSize={10}
        />
      )}
    </div>
  )
}

const kindNames = { cluster: 'cluster', machine: 'machine' } as const

const columns: readonly Column<UsageSource>[] = [
  {
    id: 'name',
    header: 'Name',
    value: ({ name }) => name,
    cell: (source) => {
      const { name, kind } = source
      return (
        <span className="two-lines whole-name">
          <b>{name}</b>
          <span className="only-narrow">{kindNames[kind]}</span>
          <SourceHealth of={source} />
        </span>
      )
    },
  },
  {
    id: 'kind',
    header: 'Kind',
    value: ({ kind }) => kindNames[kind],
    minor: true,
  },
  {
    id: 'seen',
    header: 'Last seen',
    value: ({ last_seen }) => last_seen,
    cell: ({ last_seen, is_silent }) => (
      <span className="with-badge" title={moment(last_seen)}>
        {is_silent ? ago(last_seen, Date.now()) : 'now'}
        <Badge tone={is_silent ? 'bad' : 'good'}>{is_silent ? 'silent' : 'sending'}</Badge>
      </span>
    ),
  },
]
