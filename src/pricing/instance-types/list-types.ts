import type { Catalogue } from '../../catalogue/catalogue.ts'
import { type TypeFacts, typeFacts } from '../../catalogue/search/type-facts.ts'
import { parseArchitecture } from '../../domain/names.ts'
import { marketOf, type PricingDeps } from '../market.ts'
import { resolveRegions } from '../names.ts'
import { invalidField } from '../not-found.ts'
import { checkPredicatesIn } from '../request/check-predicates.ts'
import { findTypeFacts } from './find-types.ts'
import type { InstanceTypeView, TypesQuery } from './schema.ts'
import type { TypeSort } from './type-sorts.ts'
import { typeView } from './type-view.ts'

/** Returns one page of the types that pass the filter, and their number. `next` is the cursor of the following page. */
export async function listTypes(
  deps: PricingDeps,
  organisation: string,
  query: TypesQuery,
): Promise<{ types: InstanceTypeView[]; total: number; next: string | undefined }> {
  const architecture = query.architecture && parseArchitecture(query.architecture)
  if (query.architecture !== undefined && architecture === undefined)
    throw invalidField('?architecture', 'is not known; known names: x86_64, arm64, i386')
  const market = await marketOf(deps, organisation)
  const given = {
    providers: query.provider === undefined ? [] : [query.provider],
    regions: query.region === undefined ? [] : [query.region],
  }
  // providers -> ?provider
  checkPredicatesIn(deps, market, given, (member) => `?${member.slice(0, -1)}`)
  const { catalogue, own } = market
  const region = query.region && resolveRegions(catalogue, query.region).at(-1)
  const found: InstanceTypeView[] = []
  for (const each of [catalogue, ...own.catalogues])
    for (const facts of await factsIn(each, deps, query, region)) {
      const view = views.getOrInsertComputed(facts, () => typeView(deps, facts))
      if (passes(view, query, architecture)) found.push(view)
    }
  found.sort(orderBy(query.sort ?? 'price'))
  const last = found.findIndex((view) => keyOf(view) === query.cursor)
  if (query.cursor !== undefined && last < 0)
    throw invalidField('?cursor', 'must come from a Link header; if its type is gone, start again without it')
  const from = last + 1
  const types = found.slice(from, from + query.limit)
  const next = from + query.limit < found.length ? keyOf(types.at(-1)!) : undefined
  return { types, total: found.length, next }
}

/** Facts of a whole catalogue are kept as long as the catalogue, so their views can be kept as well. */
const views = new WeakMap<TypeFacts, InstanceTypeView>()

async function factsIn(
  catalogue: Catalogue,
  deps: PricingDeps,
  query: TypesQuery,
  region: string | undefined,
): Promise<TypeFacts[]> {
  const provider = query.provider && (deps.findProvider(query.provider)?.key ?? query.provider)
  const names = catalogue.typesHolding(query.q?.trim() ?? '', Number.MAX_SAFE_INTEGER, provider)
  const facts = (await findTypeFacts(catalogue, names)).filter(
    (one) => provider === undefined || one.provider.toLowerCase() === provider.toLowerCase(),
  )
  if (region === undefined) return facts
  const isThere = (one: TypeFacts): boolean =>
    one.regions.some((name) => name.toLowerCase() === region.toLowerCase())
  return facts
    .filter(isThere)
    .flatMap((one) => typeFacts(catalogue.searchIndex, one.instanceType, { provider: one.provider, region }))
}

function passes({ machine, ...view }: InstanceTypeView, query: TypesQuery, architecture: string | undefined) {
  const model = query.gpu_model?.toLowerCase()
  return (
    (view.cpu_cores ?? 0) >= (query.min_cores ?? 0) &&
    (view.ram_gb ?? 0) >= (query.min_memory_gb ?? 0) &&
    (machine.speed?.coremark_per_vcpu ?? 0) >= (query.min_speed ?? 0) &&
    (machine.local_disk?.gib ?? 0) >= (query.min_local_disk_gb ?? 0) &&
    (architecture === undefined || view.architecture === architecture) &&
    (model === undefined || (view.gpu?.name.toLowerCase().includes(model) ?? false)) &&
    (query.generation === undefined || machine.generation === query.generation) &&
    (query.kind === undefined || machine.kinds.includes(query.kind)) &&
    (query.max_cost_per_hour === undefined ||
      (view.cost_per_hour_from !== null && view.cost_per_hour_from <= query.max_cost_per_hour))
  )
}

/** Unknown values come last in both directions. Ties are ordered by provider and name. */
function orderBy(sort: TypeSort): (a: InstanceTypeView, b: InstanceTypeView) => number {
  const isDescending = sort.startsWith('-')
  const figure = figures[sort.replace('-', '') as Figure]
  return (a, b) => {
    const [x, y] = [figure(a), figure(b)]
    if (x !== y) {
      if (x === null) return 1
      if (y === null) return -1
      return isDescending ? y - x : x - y
    }
    const names =
      byName.compare(a.instance_type, b.instance_type) || byName.compare(a.provider_key, b.provider_key)
    return sort === '-name' ? -names : names
  }
}

const byName = new Intl.Collator('en', { numeric: true })

type Figure = Exclude<TypeSort, `-${string}`>

const figures: Record<Figure, (view: InstanceTypeView) => number | null> = {
  price: (view) => view.cost_per_month_from,
  reserved_1y: (view) => view.cost_per_hour_reserved_1y,
  reserved_3y: (view) => view.cost_per_hour_reserved_3y,
  spot: (view) => view.cost_per_hour_spot,
  price_per_core: ({ cost_per_month_from: cost, cpu_cores: cores }) =>
    cost === null || !cores ? null : cost / cores,
  price_per_speed: (view) => view.cost_per_1000_coremark,
  cores: (view) => view.cpu_cores,
  memory: (view) => view.ram_gb,
  speed: ({ machine }) => machine.speed?.coremark_per_vcpu ?? null,
  regions: (view) => view.regions.length,
  name: () => null,
}

const keyOf = ({ provider_key, instance_type }: InstanceTypeView): string =>
  `${provider_key}/${instance_type}`
