import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { answer, service } from '../api/client.ts'
import '../styles/costs.css'
import { AddressNotice } from '../parts/address-notice.tsx'
import { Breadcrumb } from '../parts/breadcrumb.tsx'
import { ExportMenu } from '../parts/export-menu.tsx'
import { Segmented, Select } from '../parts/inputs/inputs.tsx'
import { MultiChoice } from '../parts/inputs/multi-choice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Empty, Skeleton, Trouble } from '../parts/states.tsx'
import { addressOf, setParams, usePlace } from '../state/router.ts'
import { datesOf, presetName, presetParams, presets, useCluster, usePeriod } from '../usage/period.ts'
import { CostsView } from './costs-view.tsx'
import { type CostsQuery, costsCsv, selectedCosts, useCosts } from './queries.ts'
import {
  byParam,
  type CostSelection,
  groupings,
  labelText,
  maxGroupings,
  plainLabel,
  selectionOf,
  sharings,
} from './selection.ts'

/** Shows what ran, what it cost, and how that changed. */
export default function CostsPage() {
  const { params } = usePlace()
  const period = usePeriod()
  const cluster = useCluster()
  const selection = useMemo(() => selectionOf(params), [params])
  const withBefore = params.get('before') !== 'off'
  const { by, namespace, sharing } = selection
  const groupBy = by.join(',')
  const query: CostsQuery = { groupBy, cluster, namespace, sharing, period }
  const costs = useCosts(query, period.days, withBefore)
  const data = useMemo(
    () =>
      costs.rows === undefined || costs.idleRows === undefined
        ? undefined
        : {
            ...selectedCosts(selection, costs.rows, costs.idleRows),
            before:
              withBefore && costs.beforeRows !== undefined && costs.beforeIdleRows !== undefined
                ? selectedCosts(selection, costs.beforeRows, costs.beforeIdleRows)
                : undefined,
          },
    [selection, withBefore, costs.rows, costs.idleRows, costs.beforeRows, costs.beforeIdleRows],
  )
  return (
    <>
      <PageHead title="Costs" text="What containers, machines, volumes and idle capacity cost in the period.">
        <ExportMenu
          files={[
            {
              name: 'CSV over time',
              note: 'every group in every step',
              file: `cheapside-costs-over-time-${datesOf(period)}.csv`,
              type: 'text/csv',
              load: () => costsCsv(query, period.days),
            },
            {
              name: 'FOCUS 1.3',
              note: 'rows for cost management tools',
              file: `cheapside-focus-${datesOf(period)}.csv`,
              type: 'text/csv',
              load: () => costsCsv(query, period.days, 'focus'),
            },
          ]}
        />
      </PageHead>
      <div className="cost-tools">
        <Segmented
          label="Period"
          name="cost-period"
          options={presets.map((preset) => [String(preset), presetName(preset)] as const)}
          value={String(period.preset ?? '')}
          onChange={(to) => setParams(presetParams(presets.find((preset) => String(preset) === to)!), 'push')}
        />
      </div>
      <div className="cost-tools">
        <Groupings selection={selection} />
        <Select
          label="Idle and shared costs"
          value={sharing}
          options={sharings}
          onChange={(to) => setParams({ sharing: to === 'saved' ? undefined : to }, 'push')}
        />
        <label className="check">
          <input
            type="checkbox"
            checked={withBefore}
            onChange={() => setParams({ before: withBefore ? 'off' : undefined }, 'push')}
          />
          <span>Compare with the previous period</span>
        </label>
      </div>
      <Path selection={selection} cluster={cluster} params={params} />
      <AddressNotice ignored={selection.ignored} />
      {costs.isPending && costs.error === null && <Skeleton lines={10} label="Calculating costs" />}
      {costs.error !== null && <Trouble error={costs.error} again={() => void costs.refetch()} />}
      {data?.rows.length === 0 && (
        <Empty
          icon="chart"
          title="No cost in this period"
          text="No container reported usage. Choose other dates, or another cluster."
        />
      )}
      {data !== undefined && data.rows.length > 0 && (
        <CostsView
          rows={data.rows}
          idleRows={data.idleRows}
          beforeRows={data.before?.rows}
          beforeIdleRows={data.before?.idleRows}
          selection={selection}
          period={period}
          cluster={cluster}
        />
      )}
    </>
  )
}

/** Up to three groupings, and the values of the label among them. */
function Groupings({ selection: { by, values } }: { selection: CostSelection }) {
  const labels = useCostLabels()
  const label = by.find((name) => name.startsWith('label:'))?.slice('label:'.length)
  const known = labels.find(({ name }) => name === label)
  const optionsOf = (index: number) => [
    ...(index === 0 ? [] : ([['', 'nothing']] as const)),
    ...groupings,
    ...[...new Set([...labels.map(({ name }) => name), ...(label === undefined ? [] : [label])])].map(
      (name) => [`label:${name}`, labelText(name)] as const,
    ),
  ]
  const change = (index: number, to: string) => {
    const others = by.filter((name, i) => i !== index && name !== to && !isSecondLabel(name, to))
    const next = to === '' ? by.slice(0, index) : others.toSpliced(index, 0, to)
    setParams({ by: byParam(next), value: undefined }, 'push')
  }
  return (
    <>
      {[...by, ...(by.length < maxGroupings ? [''] : [])].map((name, index) => (
        <Select
          key={name}
          label={index === 0 ? 'Group by' : 'Then by'}
          value={name}
          options={optionsOf(index)}
          onChange={(to) => change(index, to)}
        />
      ))}
      {known !== undefined && (
        <MultiChoice
          label={`Values of ${plainLabel(known.name)}`}
          none="All"
          choices={[...known.values.map(({ value }) => value), ''].map((value) => ({
            value,
            label: value === '' ? 'without it' : value,
          }))}
          chosen={values}
          onChange={(chosen) => setParams({ value: chosen }, 'push')}
        />
      )}
    </>
  )
}

/** Rows can be grouped by one label only. */
const isSecondLabel = (one: string, other: string): boolean =>
  one.startsWith('label:') && other.startsWith('label:')

/** Labels that the operator keeps, those that were received first. */
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

/** The way back from a part of the costs to all of them. */
function Path({
  selection: { namespace, workload },
  cluster,
  params,
}: {
  selection: CostSelection
  cluster: string | undefined
  params: URLSearchParams
}) {
  if (namespace === undefined || cluster === undefined) return null
  const without = (...names: readonly string[]) => {
    const next = new URLSearchParams(params)
    for (const name of [...names, 'by']) next.delete(name)
    return next
  }
  const inNamespace = without('workload')
  inNamespace.set('by', 'workload')
  return (
    <Breadcrumb
      crumbs={[
        {
          name: 'All clusters',
          href: addressOf(['costs'], without('cluster', 'namespace', 'workload', 'value')),
        },
        { name: cluster, href: addressOf(['costs'], without('namespace', 'workload')) },
        { name: namespace, href: workload && addressOf(['costs'], inNamespace) },
        ...(workload === undefined ? [] : [{ name: workload }]),
      ]}
    />
  )
}
