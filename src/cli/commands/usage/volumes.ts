import { dollars } from '../../../domain/money.ts'
import type { VolumesView, VolumeView } from '../../../pricing/disks/volume-schema.ts'
import { type Command, textOption } from '../../command.ts'
import { organisationOption } from '../../organisation.ts'
import { renderTable } from '../../render/table.ts'
import { withService } from '../../with-service.ts'

/** Lists the volumes of clusters. */
export const volumesCommand: Command = {
  name: 'volumes',
  summary: 'List persistent volumes with their cost, those nobody uses, and cheaper disks for the others',
  settings: ['server', 'data', 'catalogue', 'providers', 'currency'],
  options: {
    organisation: organisationOption,
    cluster: textOption('NAME', 'Only this cluster'),
    namespace: textOption('NAME', 'Only this namespace'),
    state: textOption('STATE', 'used, unused, without-claim or unknown; default: all'),
    limit: textOption('COUNT', 'At most this many; default: 1000'),
  },
  run: (call) =>
    withService(call, async (service) => {
      const query = {
        cluster: call.text('cluster'),
        namespace: call.text('namespace'),
        state: call.text('state'),
        limit: call.number('limit'),
      }
      const found = await service.ask<VolumesView>('/v1/volumes', { query })
      const isFiltered = [query.cluster, query.namespace, query.state].some((filter) => filter !== undefined)
      return call.show(found, () =>
        isFiltered && found.totals.count === 0 ? 'No volume is known by that choice.' : rendered(found),
      )
    }),
}

function rendered({ volumes, totals, next_cursor }: VolumesView): string {
  if (totals.count === 0)
    return 'No volumes are known: send kube_persistentvolumeclaim_* and kube_persistentvolume_* of kube-state-metrics, and kubelet_volume_stats_* of the kubelet.'
  const header = ['VOLUME', 'DISK', 'SIZE', 'USED', 'A MONTH', 'STATE', 'INSTEAD', 'SAVES', 'NOTE']
  const lines = [
    renderTable([header, ...volumes.map(rowOf)], [4, 7]),
    `${totals.count} volumes cost ${dollars(totals.cost_per_month)} a month${totals.without_price > 0 ? `, and ${totals.without_price} have no price` : ''}. Removing those that nobody uses saves ${dollars(totals.removable_per_month)}, other disks for the rest ${dollars(totals.savings_per_month)}. No disk is made smaller.`,
  ]
  const dated = new Set(volumes.flatMap(({ price_source: source }) => (isDated(source) ? [source] : [])))
  for (const source of dated) lines.push(`Disks without a current price list have the price ${source}.`)
  if (next_cursor !== null) lines.push(`Only ${volumes.length} are listed: --limit lists more.`)
  return lines.join('\n')
}

const isDated = (source: string | null): boolean => source?.startsWith('published') === true

function rowOf(row: VolumeView): string[] {
  const isRemovable = row.state === 'unused' || row.state === 'without-claim'
  const { better, cost_per_month: cost } = row
  return [
    [row.cluster, ...(row.claim === null ? [row.volume] : [row.namespace, row.claim])].join('/'),
    row.disk_type ?? (row.storage_class || '-'),
    `${Math.round(row.size_gib * 10) / 10} GiB`,
    row.used_gib === null ? '-' : `${Math.round((100 * row.used_gib) / row.size_gib)}%`,
    cost === null ? '-' : dollars(cost),
    isRemovable ? `${row.state} ${row.unused_days}d` : row.state,
    isRemovable ? 'remove' : better === null ? '-' : `${better.type} ${better.tier}`.trim(),
    isRemovable ? dollars(cost ?? 0) : better === null ? '-' : dollars(better.savings_per_month),
    row.without_price ?? noteOf(row, isRemovable),
  ]
}

const noteOf = (row: VolumeView, isRemovable: boolean): string =>
  isRemovable || row.smaller_saves_per_month < 1
    ? ''
    : `mostly unused: a new, smaller claim and a copy would save ${dollars(row.smaller_saves_per_month)} more`
