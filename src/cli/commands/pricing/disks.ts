import { defaultOrganisation } from '../../../domain/key.ts'
import { orProblem } from '../../../domain/not-found.ts'
import type { recommendDisks } from '../../../pricing/disks/recommend-disks.ts'
import type { DiskRecommendationQuestion, DiskTypeView } from '../../../pricing/disks/schema.ts'
import { type Call, type Command, textOption, UsageError } from '../../command.ts'
import { renderTable } from '../../render/table.ts'
import { serverOf } from '../../server.ts'
import { offlinePricing } from './offline-pricing.ts'

type Answer = Exclude<Awaited<ReturnType<typeof recommendDisks>>, { reason: string }>

export const diskCommands: readonly Command[] = [
  {
    name: 'disks list',
    summary: 'List disk types and tiers with their prices',
    isOffline: true,
    settings: ['server', 'catalogue', 'providers', 'currency'],
    options: {
      provider: textOption('NAME', 'Only of this provider'),
      region: textOption('NAME', 'Only types with a price there; default: the cheapest region of each'),
    },
    run: async (call) => {
      const [provider, region] = [call.text('provider'), call.text('region')]
      const query = { ...(provider && { provider }), ...(region && { region }), limit: 1000 }
      const server = serverOf(call)
      const { listDiskTypes } = await import('../../../pricing/disks/list-disk-types.ts')
      const types =
        server === undefined
          ? orProblem(listDiskTypes(await offlinePricing(call.settings), query))
          : await server.ask<DiskTypeView[]>('/v1/disk_types', { query })
      return call.show(types, () => renderTypes(types))
    },
  },
  {
    name: 'disks recommend',
    summary: 'Find cheaper disks for a disk',
    operands: 'PROVIDER REGION TYPE GIB',
    isOffline: true,
    settings: ['server', 'catalogue', 'providers', 'currency'],
    options: {
      iops: textOption('COUNT', 'IOPS that were bought; default: what the type includes'),
      throughput: textOption('MBPS', 'MB/s that were bought; default: what the type includes'),
      'used-iops': textOption('COUNT', 'The most IOPS that are used; default: all that the disk has'),
      'used-throughput': textOption('MBPS', 'The most MB/s that are used; default: all that the disk has'),
    },
    notes: 'A disk is never made smaller: no provider shrinks one.',
    run: async (call) => {
      const question = questionOf(call)
      const server = serverOf(call)
      const answer =
        server === undefined
          ? await offline(call, question)
          : Object.entries(
              await server.ask<Record<string, Answer[number][1]>>('/recommendations/disks', {
                body: question,
              }),
            )
      return call.show(Object.fromEntries(answer), () => renderAnswer(answer))
    },
  },
]

function questionOf(call: Call): DiskRecommendationQuestion {
  const [provider = '', region = '', type = '', size] = call.operands
  const capacity_gb = Number(size)
  if (!(capacity_gb > 0)) throw new UsageError('GIB must be a number above 0')
  const number = (name: string): number | null => call.number(name, { least: 0 }) ?? null
  return {
    instance: {
      provider,
      region,
      type,
      capacity_gb,
      iops: number('iops'),
      throughput_mbps: number('throughput'),
    },
    usage: { iops: number('used-iops'), throughput_mbps: number('used-throughput') },
    include_metadata: true,
  }
}

async function offline(call: Call, question: DiskRecommendationQuestion): Promise<Answer> {
  const { recommendDisks } = await import('../../../pricing/disks/recommend-disks.ts')
  const deps = { ...(await offlinePricing(call.settings)), ownDisks: async () => [] }
  return orProblem(await recommendDisks(deps, defaultOrganisation, question))
}

function renderTypes(types: readonly DiskTypeView[]): string {
  const rows = types.map((type) => [
    type.provider,
    type.tier === '' ? type.type : `${type.type} ${type.tier}`,
    type.region,
    `$${type.cost_per_gb_month.toFixed(4)}`,
    `${type.included_iops}${type.iops_per_gb > 0 ? ` + ${type.iops_per_gb}/GiB` : ''}`,
    `${type.included_throughput_mbps}${type.throughput_mbps_per_gb > 0 ? ` + ${type.throughput_mbps_per_gb}/GiB` : ''}`,
    [type.is_estimate ? 'estimate' : (type.price_day ?? ''), ...type.traits].join(', '),
  ])
  return renderTable([
    ['PROVIDER', 'TYPE', 'REGION', 'GIB-MONTH', 'IOPS', 'MB/S', 'NOTES'],
    ...rows,
  ]).trimEnd()
}

function renderAnswer(answer: Answer): string {
  const rows = answer.flatMap(([label, items]) =>
    items.map(({ disk_pricing: { provider, region, type, raw_pricing_data: raw }, savings }) => [
      label === 'base' ? `${type} (now)` : type,
      provider,
      region,
      `$${Number(raw.cost_per_month).toFixed(2)}`,
      label === 'base' ? '' : `$${savings.amount_per_month.toFixed(2)}`,
      `${raw.billed_capacity_gb} GiB, ${raw.iops} IOPS, ${raw.throughput_mbps} MB/s`,
      [...(raw.is_estimate ? ['estimate'] : []), ...((raw.changes as string[]) ?? [])].join(', '),
    ]),
  )
  return renderTable([
    ['TYPE', 'PROVIDER', 'REGION', 'A MONTH', 'SAVES', 'DOES', 'CHANGES'],
    ...rows,
  ]).trimEnd()
}
