import { Badge } from '../parts/badge.tsx'
import { money, percent, share, signedPercent } from '../parts/figures.ts'
import { Link } from '../parts/link.tsx'
import type { Column } from '../parts/table/column.ts'
import { addressOf } from '../state/router.ts'
import { outsideClusters } from '../usage/cluster-costs.ts'
import { barParams } from '../usage/period.ts'
import type { CostGroup } from './groups.ts'
import { changeHeader } from './measured.ts'
import { hasIdle } from './queries.ts'
import { type CostSelection, groupings, partsOf, plainLabel } from './selection.ts'

export interface CostTableRow extends CostGroup {
  readonly totalUsd: number
  /** Undefined while the previous period is not compared. */
  readonly beforeUsd: number | undefined
}

export function costColumns(
  selection: Pick<CostSelection, 'by'>,
  /**
   * Whether the previous period was measured completely, and by what the current one is multiplied to compare them;
   * undefined while they are not compared.
   */
  compared: { readonly isWhole: boolean; readonly scale: number } | undefined,
  params: URLSearchParams,
  hasGpus: boolean,
): readonly Column<CostTableRow>[] {
  const header = selection.by.map(headerOf).join(', ')
  return [
    {
      id: 'group',
      header: `${header.charAt(0).toUpperCase()}${header.slice(1)}`,
      value: ({ name, place }) => (place === '' ? name : `${name} ${place}`),
      exported: [
        { header: `${header.charAt(0).toUpperCase()}${header.slice(1)}`, value: ({ name }) => name },
        { header: 'Part of', value: ({ place }) => place },
      ],
      cell: (row) => (
        <span className="two-lines">
          <span className="with-badge as-text">
            <GroupName of={row} selection={selection} params={params} />
            {row.estimatedUsd > 0 && <Badge tone="warn">estimate</Badge>}
          </span>
          {row.place !== '' && <span>{row.place}</span>}
        </span>
      ),
    },
    {
      id: 'cost',
      header: 'Cost',
      unit: 'USD',
      value: ({ costUsd }) => costUsd,
      cell: ({ costUsd }) => money(costUsd),
      number: true,
    },
    {
      id: 'share',
      header: 'Share',
      unit: '%',
      value: ({ costUsd, totalUsd }) => (totalUsd === 0 ? null : (100 * costUsd) / totalUsd),
      cell: ({ costUsd, totalUsd }) => (totalUsd === 0 ? '–' : percent((100 * costUsd) / totalUsd)),
      number: true,
      minor: true,
    },
    ...(compared !== undefined
      ? ([
          {
            id: 'before',
            header: compared.isWhole ? 'Before' : 'Before, partly measured',
            unit: 'USD',
            value: ({ beforeUsd }) => beforeUsd ?? null,
            cell: ({ beforeUsd }) => money(beforeUsd),
            number: true,
            minor: true,
          },
        ] satisfies Column<CostTableRow>[])
      : []),
    ...(compared?.isWhole
      ? ([
          {
            id: 'change',
            header: changeHeader(compared.scale),
            unit: 'USD',
            value: ({ costUsd, beforeUsd = 0 }) => costUsd * compared.scale - beforeUsd,
            cell: ({ costUsd, beforeUsd = 0 }) => (
              <Change by={costUsd * compared.scale - beforeUsd} of={beforeUsd} />
            ),
            number: true,
          },
        ] satisfies Column<CostTableRow>[])
      : []),
    {
      id: 'cpu',
      header: 'CPU used',
      unit: '%',
      value: ({ usedCoreHours, requestedCoreHours }) =>
        requestedCoreHours === 0 ? null : (100 * usedCoreHours) / requestedCoreHours,
      cell: ({ usedCoreHours, requestedCoreHours }) =>
        requestedCoreHours === 0 ? '–' : share(usedCoreHours / requestedCoreHours),
      number: true,
      extra: true,
    },
    {
      id: 'memory',
      header: 'Memory used',
      unit: '%',
      value: ({ usedGibHours, requestedGibHours }) =>
        requestedGibHours === 0 ? null : (100 * usedGibHours) / requestedGibHours,
      cell: ({ usedGibHours, requestedGibHours }) =>
        requestedGibHours === 0 ? '–' : share(usedGibHours / requestedGibHours),
      number: true,
      extra: true,
    },
    ...(hasGpus
      ? ([
          {
            id: 'gpus',
            header: 'GPU cost',
            unit: 'USD',
            value: ({ gpuUsd }) => gpuUsd,
            cell: ({ gpuUsd }) => (gpuUsd === 0 ? '–' : money(gpuUsd)),
            number: true,
            minor: true,
          },
        ] satisfies Column<CostTableRow>[])
      : []),
    ...(hasIdle(selection.by.join())
      ? ([
          {
            id: 'idle',
            header: 'Idle',
            unit: 'USD',
            value: ({ idleUsd }) => idleUsd,
            cell: ({ idleUsd }) => money(idleUsd),
            number: true,
            minor: true,
          },
        ] satisfies Column<CostTableRow>[])
      : []),
  ]
}

const headerOf = (name: string): string =>
  groupings.find(([each]) => each === name)?.[1].toLowerCase() ?? plainLabel(name.replace('label:', ''))

/** Leads to what the group consists of, or to the page of a container. */
function GroupName({
  of,
  selection,
  params,
}: {
  of: CostTableRow
  selection: Pick<CostSelection, 'by'>
  params: URLSearchParams
}) {
  const { name, cluster, namespace, workload, container } = of
  if (cluster && namespace && workload && container)
    return (
      <Link
        href={addressOf(
          ['workloads', cluster, namespace, ...workload.split('/'), container],
          barParams(params),
        )}
      >
        {name}
      </Link>
    )
  if (cluster === outsideClusters)
    return <Link href={addressOf(['machines'], barParams(params))}>{name}</Link>
  const parts = partsOf(selection, of)
  if (parts === undefined) return <b>{name}</b>
  return <Link href={addressOf(['costs'], withParams(params, parts))}>{name}</Link>
}

function withParams(
  params: URLSearchParams,
  changes: Readonly<Record<string, string | undefined>>,
): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(changes))
    if (value === undefined) next.delete(name)
    else next.set(name, value)
  return next
}

function Change({ by, of }: { by: number; of: number }) {
  if (Math.abs(by) < 0.005) return <>–</>
  return (
    <span className="two-lines">
      <span className={by > 0 ? 'bad' : 'good'}>
        {by > 0 && '+'}
        {money(by)}
      </span>
      <span>{of === 0 ? 'new' : signedPercent((100 * by) / of)}</span>
    </span>
  )
}
