import { Problem } from '../../domain/problem.ts'
import type { PoolWriter, Provider, WrittenPool } from '../../domain/provider.ts'
import type { ClusterPlan } from './cluster-plan.ts'
import type { OfferedPool } from './offered-pools.ts'

/** Formats of every provider. */
const sharedWriters: Readonly<Record<string, PoolWriter>> = {
  csv: (cluster, pools) =>
    pools
      .map(({ name, instanceType, region, count, isSpot }) =>
        [cluster, name, region, instanceType, isSpot ? 'spot' : 'on-demand', count].map(cell).join(','),
      )
      .join('\n')
      .concat('\n'),
  terraform: (cluster, pools) => {
    const pool = ({ name, instanceType, fewest, count, isSpot }: WrittenPool) =>
      `  ${name} = { instance_type = ${quoted(instanceType)}, min_size = ${fewest}, max_size = ${2 * count}, desired_size = ${count}, spot = ${isSpot} }\n`
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

export const poolFormats = (providers: readonly Provider[]): string[] => [
  ...Object.keys(sharedWriters),
  ...new Set(providers.flatMap(({ kubernetes }) => Object.keys(kubernetes?.poolWriters ?? {}))),
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
    return write(cluster, pools.map(writtenPool))
  })
  return format === 'csv'
    ? `cluster,pool,region,instance_type,payment,nodes\n${parts.filter((part) => !part.startsWith('#')).join('')}`
    : parts.join('')
}

const remark = (text: string): string => `# ${text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ')}\n`

function writtenPool({ offer, count, fewest = count }: OfferedPool, index: number): WrittenPool {
  const family = offer.instanceType.toLowerCase().replace(/[^a-z0-9]/g, '')
  return {
    name: `p${index}${family}`.slice(0, 12),
    instanceType: offer.instanceType,
    region: offer.region,
    count,
    fewest,
    isSpot: offer.usageType === 'SPOT_PREEMPTIBLE',
    architecture: offer.architecture,
    cores: offer.vcpus ?? 0,
    gib: offer.ramGib ?? 0,
  }
}
