import type { Catalogue } from '../catalogue/catalogue.ts'
import { type TypeFacts, typeFacts } from '../catalogue/type-facts.ts'
import { marketOf, type PricingDeps } from './pricing/deps.ts'

export interface TypeQuestion {
  /** Part of a type's name. */
  readonly q: string
  /** A provider by any of its names, or a marketplace name of the caller's. */
  readonly provider?: string
  readonly region?: string
  /** Types of just this size. */
  readonly cpu_cores?: number
  readonly ram_gb?: number
  readonly limit: number
}

export interface FoundInstanceType {
  readonly provider_key: string
  readonly provider: string
  readonly instance_type: string
  readonly cpu_cores: number | null
  readonly ram_gb: number | null
  readonly architecture: string
  readonly gpu: { readonly count: number; readonly name: string } | null
  readonly regions: readonly string[]
  readonly operating_systems: readonly string[]
  readonly usage_types: readonly string[]
  readonly cost_per_hour_from: number | null
}

/** Names looked into before the best are chosen; all of them where a size is wanted. */
const mostNames = 500

/** Search while typing, over the built-in types and the caller's own: names that begin with the text, then those that hold it; small ones first. */
export async function findTypes(
  deps: PricingDeps,
  organisation: string,
  { q, provider, region, cpu_cores, ram_gb, limit }: TypeQuestion,
): Promise<FoundInstanceType[]> {
  const { catalogue, own } = await marketOf(deps, organisation)
  const where = {
    ...(provider === undefined ? {} : { provider: deps.findProvider(provider)?.key ?? provider }),
    ...(region === undefined ? {} : { region }),
  }
  const text = q.trim()
  const sized = cpu_cores !== undefined || ram_gb !== undefined
  const names = sized ? Number.MAX_SAFE_INTEGER : mostNames
  const found = [catalogue, ...own.catalogues]
    .flatMap((each) => matching(each, text, where, names))
    .filter((of) => (cpu_cores ?? of.vcpus) === of.vcpus && (ram_gb ?? of.ramGib) === of.ramGib)
  const begins = ({ instanceType }: TypeFacts) =>
    instanceType.toLowerCase().startsWith(text.toLowerCase()) ? 0 : 1
  return found
    .sort(
      (a, b) =>
        begins(a) - begins(b) ||
        (a.vcpus ?? Number.MAX_VALUE) - (b.vcpus ?? Number.MAX_VALUE) ||
        (a.ramGib ?? Number.MAX_VALUE) - (b.ramGib ?? Number.MAX_VALUE) ||
        a.instanceType.localeCompare(b.instanceType, 'en') ||
        a.provider.localeCompare(b.provider, 'en'),
    )
    .slice(0, limit)
    .map((facts) => toContract(facts, deps))
}

function matching(
  catalogue: Catalogue,
  text: string,
  where: { provider?: string; region?: string },
  most: number,
): TypeFacts[] {
  const names = catalogue.typesHolding(text, most, where.provider)
  const once = new Map(names.map((name) => [name.toLowerCase(), name]))
  return [...once.values()].flatMap((name) => typeFacts(catalogue.structure, name, where))
}

function toContract(facts: TypeFacts, { providers }: PricingDeps): FoundInstanceType {
  return {
    provider_key: facts.provider,
    provider: providers.find(({ key }) => key === facts.provider)?.displayName ?? facts.provider,
    instance_type: facts.instanceType,
    cpu_cores: facts.vcpus,
    ram_gb: facts.ramGib,
    architecture: facts.architecture,
    gpu: facts.gpuCount > 0 ? { count: facts.gpuCount, name: facts.gpuName } : null,
    regions: facts.regions,
    operating_systems: facts.operatingSystems,
    usage_types: facts.usageTypes,
    cost_per_hour_from: facts.leastPerHourUsd,
  }
}
