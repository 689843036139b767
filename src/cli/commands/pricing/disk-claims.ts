import { dollars, hoursPerMonth } from '../../../domain/money.ts'
import { NotFound } from '../../../domain/not-found.ts'
import { holdsCredentials } from '../../../ingest/promql/client.ts'
import {
  adviseClaim,
  type ClaimRecommendation,
  diskMonthUsd,
  diskName,
  viewSavings,
} from '../../../pricing/disks/claims.ts'
import { type Call, type Command, CommandFailure, listOption, textOption, UsageError } from '../../command.ts'
import { readInput } from '../../read-json.ts'
import { renderTable } from '../../render/table.ts'
import { offlinePricing } from './offline-pricing.ts'

export const diskClaimsCommand: Command = {
  name: 'disks claims',
  summary: 'Find cheaper disks for the claims of a Kubernetes cluster, by their usage in Prometheus',
  isOffline: true,
  settings: ['catalogue', 'providers', 'currency'],
  options: {
    from: textOption('URL', 'Address of Prometheus or another PromQL engine'),
    'bearer-file': textOption('FILE', 'File with a token for it'),
    provider: textOption('NAME', 'Provider of the disks'),
    region: textOption('NAME', 'Region of the disks'),
    class: listOption(
      'CLASS=TYPE',
      'Type of the disks of a storage class, such as fast=io1; default: the type after which it is named',
    ),
    days: textOption('COUNT', 'Days of usage; default 14'),
  },
  notes:
    'Reads kubelet_volume_stats_used_bytes, kube_persistentvolumeclaim_info and, for IOPS, node_disk_info of the node exporter. No disk is made smaller: that takes a new claim and a copy.',
  run: async (call) => {
    const place = { provider: call.requiredText('provider'), region: call.requiredText('region') }
    const types = typesOf(call)
    const claims = await claimsOf(call)
    const deps = await offlinePricing(call.settings)
    const recommendations = claims.map((claim) =>
      adviseClaim(deps, claim, { ...place, type: types.get(claim.storageClass) }),
    )
    return call.show(recommendations.map(viewOf), () => rendered(recommendations))
  },
}

const typesOf = (call: Call): ReadonlyMap<string, string> =>
  new Map(
    (call.texts('class') ?? []).map((pair) => {
      const [name = '', type = '', ...more] = pair.split('=')
      if (name === '' || type === '' || more.length > 0)
        throw new UsageError(`--class must be CLASS=TYPE, such as fast=io1, not ${JSON.stringify(pair)}`)
      return [name, type]
    }),
  )

async function claimsOf(call: Call) {
  const url = call.requiredText('from')
  if (!/^https?:\/\//.test(url) || !URL.canParse(url) || holdsCredentials(url))
    throw new UsageError(
      '--from must be the address of an engine, such as http://prometheus:9090, without a password',
    )
  const days = call.number('days', { least: 1, most: 90, isWhole: true }) ?? 14
  const { PromqlClient } = await import('../../../ingest/promql/client.ts')
  const { fetchClaimUsage } = await import('../../../ingest/promql/volume-usage.ts')
  const client = new PromqlClient({ url, headers: await headersOf(call) }, { attempts: 2 })
  try {
    return await fetchClaimUsage(client, days, Date.now())
  } catch (error) {
    throw new CommandFailure((error as Error).message)
  }
}

async function headersOf(call: Call): Promise<Record<string, string>> {
  const file = call.text('bearer-file')
  if (file === undefined) return {}
  return { authorization: `Bearer ${(await readInput(file)).toString('utf8').trim()}` }
}

const savedOf = (recommendation: ClaimRecommendation): number =>
  viewSavings(recommendation).better?.savings_per_month ?? 0

function viewOf(recommendation: ClaimRecommendation) {
  const { claim, current } = recommendation
  return {
    ...claim,
    ...(current instanceof NotFound
      ? { without_price: current.reason }
      : { disk_type: diskName(current.offer), cost_per_month: diskMonthUsd(current.pricePerHourUsd) }),
    ...viewSavings(recommendation),
  }
}

function rendered(recommendations: readonly ClaimRecommendation[]): string {
  if (recommendations.length === 0) return 'Prometheus knows no claims: kube-state-metrics exports them.'
  const sorted = recommendations.toSorted((a, b) => savedOf(b) - savedOf(a))
  const rows = sorted.map((one) => {
    const { claim, current, better } = one
    const isPriced = !(current instanceof NotFound)
    return [
      `${claim.namespace}/${claim.name}`,
      isPriced ? diskName(current.offer) : claim.storageClass || '-',
      `${Math.round(claim.capacityGib * 10) / 10} GiB`,
      claim.usedGib === undefined ? '-' : `${Math.round((100 * claim.usedGib) / claim.capacityGib)}%`,
      claim.iops === undefined ? '-' : String(Math.ceil(claim.iops)),
      isPriced ? dollars(diskMonthUsd(current.pricePerHourUsd)) : '-',
      better === undefined ? '-' : diskName(better.offer),
      better === undefined ? '-' : dollars(savedOf(one)),
      noteOf(one),
    ]
  })
  const header = ['CLAIM', 'DISK', 'SIZE', 'USED', 'IOPS', 'A MONTH', 'INSTEAD', 'SAVES', 'NOTE']
  const total = sorted.reduce((sum, one) => sum + savedOf(one), 0)
  return `${renderTable([header, ...rows], [5, 7])}\nAll together save ${dollars(total)} a month. No disk is made smaller.`
}

function noteOf({ current, unusedPerHourUsd }: ClaimRecommendation): string {
  if (current instanceof NotFound) return current.reason
  if (unusedPerHourUsd * hoursPerMonth < 1) return ''
  return `mostly unused: a new, smaller claim and a copy would save ${dollars(diskMonthUsd(unusedPerHourUsd))} more`
}
