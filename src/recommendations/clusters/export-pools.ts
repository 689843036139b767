import { isProviderLabel, type NodePlacement, taintText } from '../../domain/node-placement.ts'
import { Problem } from '../../domain/problem.ts'
import type { PoolWriter, Provider, WrittenPool } from '../../domain/provider.ts'
import type { ClusterPlan, ZonedPool } from './cluster-plan.ts'

/** Formats of every provider. */
const sharedWriters: Readonly<Record<string, PoolWriter>> = {
  csv: (cluster, pools) =>
    pools
      .map(({ name, instanceType, region, zone = '', count, isSpot, placement }) => {
        const taints = placement.taints.map(taintText).join(' ')
        const payment = isSpot ? 'spot' : 'on-demand'
        return [cluster, name, region, instanceType, payment, count, zone, taints].map(cell).join(',')
      })
      .join('\n')
      .concat('\n'),
  terraform: (cluster, pools) => {
    const pool = ({ name, instanceType, fewest, count, isSpot, zone, placement }: WrittenPool) => {
      const taints = placement.taints.map(
        ({ key, value, effect }) =>
          `{ key = ${quoted(key)}, value = ${quoted(value)}, effect = ${quoted(effect)} }`,
      )
      const labels = Object.entries(placement.labels).map(
        ([key, value]) => `${quoted(key)} = ${quoted(value)}`,
      )
      const members = [
        `instance_type = ${quoted(instanceType)}`,
        `min_size = ${fewest}`,
        `max_size = ${2 * count}`,
        `desired_size = ${count}`,
        `spot = ${isSpot}`,
        ...(zone === undefined ? [] : [`zones = [${quoted(zone)}]`]),
        ...(taints.length === 0 ? [] : [`taints = [${taints.join(', ')}]`]),
        ...(labels.length === 0 ? [] : [`labels = { ${labels.join(', ')} }`]),
      ]
      return `  ${name} = { ${members.join(', ')} }\n`
    }
    return `cluster_name = ${quoted(cluster)}\nnode_pools = {\n${pools.map(pool).join('')}}\n`
  },
}

/** A text in HCL, in which ${ and %{ begin templates. */
const quoted = (text: string): string => JSON.stringify(text).replace(/([$%])\{/g, '$1$1{')

/** Spreadsheets run cells that begin like a formula. */
const cell = (value: string | number): string => {
  const text = String(value).replace(/^[=+\-@\t\r]/, "'$&")
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const formatsOf = (provider: Provider | undefined): string[] => [
  ...Object.keys(sharedWriters),
  ...Object.keys(provider?.kubernetes?.poolWriters ?? {}),
]

export const poolFormats = (providers: readonly Provider[]): string[] => [
  ...new Set(providers.flatMap(formatsOf)),
]

/** Writes an option of each cluster, by default the recommended one; for a cluster that has none, the reason. */
export function exportPools(
  plans: readonly ClusterPlan[],
  format: string,
  findProvider: (name: string) => Provider | undefined,
  id?: string,
): string {
  const ids = new Set(plans.flatMap(({ options }) => options.map((option) => option.id)))
  if (id !== undefined && !ids.has(id))
    throw new Problem('invalid', `There is no option ${id}; there are: ${[...ids].join(', ') || 'none'}.`)
  const parts = plans.map((plan) => {
    const { pods, reasons, options } = plan
    const { cluster } = pods
    const option = id === undefined ? plan.recommended : options.find((each) => each.id === id)
    const pools = option?.pools ?? []
    const provider = findProvider(pools[0]?.offer.provider ?? '')
    const write = sharedWriters[format] ?? provider?.kubernetes?.poolWriters?.[format]
    if (pools.length === 0) return remark(`${cluster}: ${reasons.join(' ') || 'no cheaper nodes'}`)
    if (write === undefined) return remark(`${cluster}: ${provider?.displayName} has no format ${format}`)
    const text = write(cluster, pools.flatMap(inZones).map(writtenPool))
    return format === 'csv' ? text : `${remark(`${cluster}: ${option!.id}`)}${text}`
  })
  return format === 'csv'
    ? `cluster,pool,region,instance_type,payment,nodes,zone,taints\n${parts.filter((part) => !part.startsWith('#')).join('')}`
    : parts.join('')
}

const remark = (text: string): string => `# ${text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ')}\n`

const settable = (labels: NodePlacement['labels']): NodePlacement['labels'] =>
  Object.fromEntries(Object.entries(labels).filter(([label]) => !isProviderLabel(label)))

type PoolInZone = Omit<ZonedPool, 'zones'>

/** A pool for each zone, because pools over several zones do not keep a number in each. */
function inZones({ zones, ...pool }: ZonedPool): PoolInZone[] {
  const { count, fewest = count } = pool
  return zones.size === 0
    ? [pool]
    : [...zones].map(([zone, inZone]) => ({
        ...pool,
        zone,
        count: inZone,
        fewest: Math.floor((fewest * inZone) / count),
      }))
}

function writtenPool(
  { offer, count, fewest = count, zone, placement }: PoolInZone,
  index: number,
): WrittenPool {
  const family = offer.instanceType.toLowerCase().replace(/[^a-z0-9]/g, '')
  return {
    name: `p${index}${family}`.slice(0, 12),
    instanceType: offer.instanceType,
    region: offer.region,
    count,
    fewest,
    zone,
    placement: { taints: placement.taints, labels: settable(placement.labels) },
    isSpot: offer.usageType === 'SPOT_PREEMPTIBLE',
    architecture: offer.architecture,
    cores: offer.vcpus ?? 0,
    gib: offer.ramGib ?? 0,
  }
}
