import { setImmediate as otherWork } from 'node:timers/promises'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { type TypeFacts, type TypeRegion, typeFacts } from '../../catalogue/search/type-facts.ts'
import { roundHourly } from '../../domain/money.ts'
import { oncePer } from '../../runtime/cache.ts'
import { marketOf, type PricingDeps } from '../market.ts'
import type { FoundInstanceType, TypeSearch } from './schema.ts'

/** Number of names that are examined before the best are chosen. A search for a size examines all names. */
const maxNames = 500

/**
 * Searches built-in types and the caller's own while the user types: first names that begin with the text, then names
 * that contain it; small types first.
 */
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
  const names = sized ? Number.MAX_SAFE_INTEGER : maxNames
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
    cost_per_hour_from: facts.minPerHourUsd === null ? null : roundHourly(facts.minPerHourUsd),
  }
}

/** Facts by lower-case type name. A catalogue never changes, so its facts stay valid; both are collected together. */
const factsIn = oncePer((_: Catalogue) => new Map<string, readonly TypeFacts[]>())

/** Number of types whose facts are computed before the event loop gets a turn; they take about a millisecond. */
const typesATurn = 100

/**
 * Returns the facts of the named types, each type once. Letter case does not matter. Facts are computed on first use.
 */
export async function findTypeFacts(catalogue: Catalogue, names: readonly string[]): Promise<TypeFacts[]> {
  const known = factsIn(catalogue)
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
