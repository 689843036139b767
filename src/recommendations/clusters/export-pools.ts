import {
  isProviderLabel,
  labelTexts,
  type NodePlacement,
  type NodeTaint,
  taintText,
} from '../../domain/node-placement.ts'
import type { Offer } from '../../domain/offer.ts'
import { Problem } from '../../domain/problem.ts'
import type { PoolWriter, Provider, WrittenPool } from '../../domain/provider.ts'
import { type ClusterOption, type ClusterPlan, isSpot, poolKey, type ZonedPool } from './cluster-plan.ts'

/** Formats of every provider. */
const sharedWriters: Readonly<Record<string, PoolWriter>> = {
  csv: (cluster, pools) =>
    pools
      .map(({ name, instanceType, region, zone = '', fewest, count, isSpot, placement }) => {
        const taints = placement.taints.map(taintText).join(' ')
        const labels = labelTexts(placement).join(' ')
        const payment = isSpot ? 'spot' : 'on-demand'
        const cells = [cluster, name, region, instanceType, payment, count, zone, taints, fewest, labels]
        return cells.map(cell).join(',')
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
    return `cluster_name = ${quoted(cluster)}\nregion = ${quoted(pools[0]?.region ?? '')}\nnode_pools = {\n${pools.map(pool).join('')}}\n`
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
    // Without a taint, all pods would run there.
    const spotTaints = addsSpot(plan, option!) ? [provider?.kubernetes?.spotTaint ?? defaultSpotTaint] : []
    const text = write(
      cluster,
      pools.flatMap(inZones).map((pool, index) => writtenPool(pool, index + 1, spotTaints)),
    )
    const types = new Set(pools.filter(({ offer }) => isPresent(plan, offer)).map(({ type }) => type.name))
    const present =
      types.size === 0 || format === 'karpenter'
        ? ''
        : remark(
            `There are nodes of ${[...types].join(' and ')} already: resize their pool instead of adding one.`,
          )
    return format === 'csv' ? text : `${remark(`${cluster}: ${option!.id}`)}${present}${text}`
  })
  return format === 'csv'
    ? `cluster,pool,region,instance_type,payment,nodes,zone,taints,min_nodes,labels\n${parts.filter((part) => !part.startsWith('#')).join('')}`
    : parts.join('')
}

/** Whether the option adds spot nodes to a cluster that has none. */
const addsSpot = ({ nodes }: ClusterPlan, { spotShare }: ClusterOption): boolean =>
  spotShare > 0 && ![...nodes.keys()].some(({ offer }) => offer !== undefined && isSpot(offer))

const defaultSpotTaint: NodeTaint = { key: 'spot', value: 'true', effect: 'NoSchedule' }

const isPresent = ({ nodes }: ClusterPlan, offer: Offer): boolean =>
  [...nodes.keys()].some(({ offer: now }) => now !== undefined && poolKey(now) === poolKey(offer))

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
  number: number,
  spotTaints: readonly NodeTaint[],
): WrittenPool {
  const onSpot = isSpot(offer)
  const type = offer.instanceType.toLowerCase().replace(/^standard_/, '')
  const words = [type, ...(onSpot ? ['spot'] : [])].join('-').replace(/[^a-z0-9]+/g, '-')
  const name = `${/^[a-z]/.test(words) ? '' : 'pool-'}${words}`.slice(0, maxNameLength - `-${number}`.length)
  return {
    name: `${name}-${number}`,
    number,
    instanceType: offer.instanceType,
    region: offer.region,
    count,
    fewest,
    zone,
    placement: {
      taints: [...placement.taints, ...(onSpot ? spotTaints : [])],
      labels: settable(placement.labels),
    },
    isSpot: onSpot,
    isWindows: offer.operatingSystem === 'Windows',
    architecture: offer.architecture,
    cores: offer.vcpus ?? 0,
    gib: offer.ramGib ?? 0,
    gpus: offer.gpuCount,
  }
}

/** Google Kubernetes Engine allows as many; Azure allows fewer, for which the name is shortened. */
const maxNameLength = 40
