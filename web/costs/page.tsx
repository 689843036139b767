import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { answer, service } from '../api/client.ts'
import '../styles/costs.css'
import { AddressNotice } from '../parts/address-notice.tsx'
import { counted } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { Segmented, Select } from '../parts/inputs/inputs.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { saveFile } from '../parts/save-file.ts'
import { Empty, Skeleton, Trouble } from '../parts/states.tsx'
import { setParams, usePlace } from '../state/router.ts'
import { useCluster, usePeriod } from '../usage/period.ts'
import { CostsView } from './costs-view.tsx'
import { type CostsQuery, costsCsv, useCosts } from './queries.ts'

const groupings = [
  ['cluster', 'Cluster'],
  ['namespace', 'Namespace'],
  ['workload', 'Workload'],
  ['node', 'Node'],
  ['label', 'Label'],
] as const

/** Shows what ran, what it cost, and how that changed. */
export default function CostsPage() {
  const { params } = usePlace()
  const period = usePeriod()
  const cluster = useCluster()
  const given = params.get('by') ?? 'namespace'
  const label = given.startsWith('label:') ? given.slice('label:'.length) : undefined
  const known = groupings.find(([each]) => each === given)?.[0]
  const kind = label === undefined ? (known ?? 'namespace') : 'label'
  const withBefore = params.get('before') !== 'off'
  const usualLabel = useCostLabels()[0]?.name ?? 'app'
  const groupBy = label === undefined ? (kind === 'label' ? `label:${usualLabel}` : kind) : given
  const query: CostsQuery = { groupBy, cluster, period }
  const costs = useCosts(query, period.days, withBefore)
  return (
    <>
      <PageHead title="Costs" text="What containers and idle nodes cost in the period.">
        <Segmented
          label="Group by"
          name="by"
          options={groupings}
          value={kind}
          onChange={(to) => setParams({ by: to === 'namespace' ? undefined : to }, 'push')}
        />
        {kind === 'label' && <LabelName key={label ?? usualLabel} label={label ?? usualLabel} />}
        <label className="check">
          <input
            type="checkbox"
            checked={withBefore}
            onChange={() => setParams({ before: withBefore ? 'off' : undefined }, 'push')}
          />
          <span>Compare with the previous period</span>
        </label>
        <DownloadSteps query={query} days={period.days} />
      </PageHead>
      <AddressNotice ignored={known === undefined && label === undefined ? [`by=${given}`] : []} />
      {costs.isPending && costs.error === null && <Skeleton lines={10} label="Calculating costs" />}
      {costs.error !== null && <Trouble error={costs.error} again={() => void costs.refetch()} />}
      {costs.rows?.length === 0 && (
        <Empty
          icon="chart"
          title="No cost in this period"
          text="No container reported usage. Choose other dates, or another cluster."
        />
      )}
      {costs.rows !== undefined && costs.rows.length > 0 && costs.idleRows !== undefined && (
        <CostsView
          rows={costs.rows}
          idleRows={costs.idleRows}
          beforeRows={withBefore ? costs.beforeRows : undefined}
          beforeIdleRows={withBefore ? costs.beforeIdleRows : undefined}
          groupBy={groupBy}
          period={period}
          cluster={cluster}
        />
      )}
    </>
  )
}

/** Chooses among the labels that the operator keeps, those that were received first. */
function LabelName({ label }: { label: string }) {
  const labels = useCostLabels()
  if (labels.length === 0) return <LabelText label={label} />
  return (
    <Select
      label="Label name"
      value={label}
      options={labels.map(({ name, values }) => [
        name,
        values.length === 0 ? `${name} · not received` : `${name} · ${counted(values.length, 'value')}`,
      ])}
      onChange={(to) => setParams({ by: `label:${to}` }, 'push')}
    />
  )
}

function useCostLabels() {
  const { data } = useQuery({
    queryKey: ['cost-keys'],
    queryFn: ({ signal }) => answer(service.GET('/v1/cost_keys', { signal })),
  })
  return useMemo(
    () => [...(data?.labels ?? [])].sort((one, other) => other.values.length - one.values.length),
    [data],
  )
}

function LabelText({ label }: { label: string }) {
  const [typed, setTyped] = useState(label)
  const apply = () => typed !== '' && typed !== label && setParams({ by: `label:${typed}` }, 'push')
  return (
    <label className="label-name">
      <span className="visually-hidden">Name of the label</span>
      <input
        type="text"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={apply}
        onKeyDown={(event) => event.key === 'Enter' && apply()}
      />
    </label>
  )
}

/** Downloads the cost of every group in every step, as the service writes it. */
function DownloadSteps({ query, days }: { query: CostsQuery; days: number }) {
  const [state, setState] = useState<'busy' | 'failed'>()
  const save = useMemo(
    () => async () => {
      setState('busy')
      try {
        saveFile('cheapside-costs-over-time.csv', await costsCsv(query, days), 'text/csv')
        setState(undefined)
      } catch {
        setState('failed')
      }
    },
    [query, days],
  )
  return (
    <button type="button" className="button" disabled={state === 'busy'} onClick={() => void save()}>
      <Icon name="download" size={16} />
      <span aria-live="polite">{state === 'failed' ? 'Not loaded; try again' : 'CSV over time'}</span>
    </button>
  )
}
