import { readEntities } from '../usage/digest/entities.ts'
import { marketOf } from './market.ts'
import { describeNode, type NodePriceDeps } from './price-node.ts'

type RegionsByProvider = ReadonlyMap<string, ReadonlySet<string>>

export async function regionsInUse(
  { pricing, usage }: NodePriceDeps,
  organisations: Iterable<string>,
): Promise<RegionsByProvider> {
  const regions = new Map<string, Set<string>>()
  for (const organisation of organisations) {
    const market = await marketOf(pricing, organisation)
    const machines = await readEntities(usage, organisation, { kinds: ['node', 'machine'] })
    for (const machine of machines.values()) {
      const { provider = '', region = '' } = describeNode(pricing, market, machine) ?? {}
      const key = pricing.findProvider(provider)?.key
      if (key !== undefined && region !== '') regions.getOrInsertComputed(key, () => new Set()).add(region)
    }
  }
  return regions
}
