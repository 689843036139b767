import { setImmediate as otherWork } from 'node:timers/promises'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { type TypeFacts, type TypeRegion, typeFacts } from '../../catalogue/search/type-facts.ts'
import { marketOf, type PricingDeps } from '../../market/market.ts'

export interface TypeSearch {
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

interface FoundInstanceType {
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
  { q, provider, region, cpu_cores, ram_gb, limit }: TypeSearch,
): Promise<FoundInstanceType[]> {
  const { catalogue, own } = await marketOf(deps, organisation)
  const where = {
    ...(provider === undefined ? {} : { provider: deps.findProvider(provider)?.key ?? provider }),
    ...(region === undefined ? {} : { region }),
  }
  const text = q.trim()
  const sized = cpu_cores !== undefined || ram_gb !== undefined
  const names = sized ? Number.MAX_SAFE_INTEGER : mostNames
  const found: Found[] = []
  for (const each of [catalogue, ...own.catalogues])
    for (const facts of await findTypeFacts(each, each.typesHolding(text, names, where.provider)))
      if (isSized(facts, cpu_cores, ram_gb) && isAt(facts, where)) found.push({ catalogue: each, facts })
  const wanted = text.toLowerCase()
  const begins = ({ instanceType }: TypeFacts) => (instanceType.toLowerCase().startsWith(wanted) ? 0 : 1)
  return found
    .sort(
      ({ facts: a }, { facts: b }) =>
        begins(a) - begins(b) ||
        (a.vcpus ?? Number.MAX_VALUE) - (b.vcpus ?? Number.MAX_VALUE) ||
        (a.ramGib ?? Number.MAX_VALUE) - (b.ramGib ?? Number.MAX_VALUE) ||
        byName.compare(a.instanceType, b.instanceType) ||
        byName.compare(a.provider, b.provider),
    )
    .slice(0, limit)
    .map((one) => toContract(region === undefined ? one.facts : factsThere(one, region), deps))
}

interface Found {
  readonly catalogue: Catalogue
  readonly facts: TypeFacts
}

const byName = new Intl.Collator('en')

const isSized = ({ vcpus, ramGib }: TypeFacts, cores = vcpus, gib = ramGib): boolean =>
  cores === vcpus && gib === ramGib

function isAt({ provider, regions }: TypeFacts, where: TypeRegion): boolean {
  const [wantedProvider, wantedRegion] = [where.provider?.toLowerCase(), where.region?.toLowerCase()]
  return (
    (wantedProvider === undefined || provider.toLowerCase() === wantedProvider) &&
    (wantedRegion === undefined || regions.some((region) => region.toLowerCase() === wantedRegion))
  )
}

/** Operating systems and lowest price in one region. */
function factsThere({ catalogue, facts }: Found, region: string): TypeFacts {
  const { instanceType, provider } = facts
  const there = typeFacts(catalogue.searchIndex, instanceType, { provider, region })
  return there.find((one) => one.instanceType === instanceType && one.provider === provider)!
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

/** A catalogue does not change, so neither do its facts; an old one takes its own with it. */
const kept = new WeakMap<Catalogue, Map<string, readonly TypeFacts[]>>()

/** Types whose facts are worked out before others get a turn: about a millisecond. */
const typesATurn = 100

/** The facts of types, named in any letter case, each type once; worked out when first asked for. */
export async function findTypeFacts(catalogue: Catalogue, names: readonly string[]): Promise<TypeFacts[]> {
  const known = kept.getOrInsertComputed(catalogue, () => new Map())
  const found: TypeFacts[] = []
  let worked = 0
  for (const name of new Set(names.map((name) => name.toLowerCase()))) {
    let facts = known.get(name)
    if (facts === undefined) {
      facts = typeFacts(catalogue.searchIndex, name)
      known.set(name, facts)
      if (++worked % typesATurn === 0) await otherWork()
    }
    found.push(...facts)
  }
  return found
}
