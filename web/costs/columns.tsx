import { Badge } from '../parts/badge.tsx'
import { money, percent, share, signedPercent } from '../parts/figures.ts'
import { Link } from '../parts/link.tsx'
import type { Column } from '../parts/table/column.ts'
import { addressOf } from '../state/router.ts'
import { barParams } from '../usage/period.ts'
import type { CostGroup } from './groups.ts'
import { changeHeader } from './measured.ts'

export interface CostTableRow extends CostGroup {
  readonly totalUsd: number
  /** Undefined while the previous period is not compared. */
  readonly beforeUsd: number | undefined
}

const headers: Record<string, string> = {
  cluster: 'Cluster',
  namespace: 'Namespace',
  workload: 'Workload',
  node: 'Node',
}

export function costColumns(
  groupBy: string,
  /**
   * Whether the previous period was measured completely, and by what the current one is multiplied to compare them;
   * undefined while they are not compared.
   */
  compared: { readonly isWhole: boolean; readonly scale: number } | undefined,
  params: URLSearchParams,
  hasGpus: boolean,
): readonly Column<CostTableRow>[] {
  const kept = barParams(params)
  return [
    {
      id: 'group',
      header: headers[groupBy] ?? groupBy.replace('label:', ''),
      value: ({ name, place }) => (place === '' ? name : `${name} ${place}`),
      cell: ({ name, place, cluster, namespace, estimatedUsd }) => (
        <span className="two-lines">
          <span className="with-badge as-text">
            {cluster !== undefined && namespace !== undefined ? (
              <Link href={addressOf(['workloads', cluster, namespace], kept)}>{name}</Link>
            ) : (
              <b>{name}</b>
            )}
            {estimatedUsd > 0 && <Badge tone="warn">estimate</Badge>}
          </span>
          {place !== '' && <span>{place}</span>}
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
    ...(groupBy === 'cluster' || groupBy === 'node'
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
