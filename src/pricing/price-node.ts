import type { Catalogue } from '../catalogue/catalogue.ts'
import type { OffersQuery } from '../catalogue/search/lookup.ts'
import type { NodePrice, NodePriceSource } from '../costs/allocation/nodes.ts'
import { baseRates } from '../domain/money.ts'
import { parseOperatingSystem } from '../domain/names.ts'
import { NotFound } from '../domain/not-found.ts'
import type { Offer } from '../domain/offer.ts'
import type { Provider } from '../domain/provider.ts'
import { gpuResources } from '../domain/usage-series.ts'
import { type Entity, nodeKey, readEntities } from '../usage/digest/entities.ts'
import type { UsageStore } from '../usage/port.ts'
import { ratesOfOffer, type Size, splitPrice } from './current-offer.ts'
import { familyRatesIn, findCurrent } from './find-current.ts'
import { type Market, marketOf, type PricingDeps } from './market.ts'
import { priceSourceOf } from './price-source.ts'
import type { InstanceDescription } from './request/request.ts'

export type NodeCost = NodePrice & { readonly source: NodePriceSource }

type NodeCosts = { priceOf(cluster: string, node: string): NodeCost }

export interface NodePriceDeps {
  readonly pricing: PricingDeps
  readonly usage: Pick<UsageStore, 'entities'>
}

/** Returns the costs of an organisation's nodes, in one cluster or in all; machines are nodes of the cluster ''. */
export async function nodePrices(
  { pricing, usage }: NodePriceDeps,
  organisation: string,
  cluster: string | undefined,
): Promise<NodeCosts> {
  const market = await marketOf(pricing, organisation)
  const nodes = await readEntities(usage, organisation, {
    kinds: ['node', 'machine'],
    ...(cluster === undefined ? {} : { cluster }),
  })
  const known = new Map<Entity, NodeCost>()
  return {
    priceOf: (nodeCluster, name) => {
      const node = nodes.get(nodeKey(nodeCluster, name))
      if (node === undefined) return { ...atRates(baseRates, undefined, 'base'), missing: 'instance type' }
      return known.getOrInsertComputed(node, () => priceNode(pricing, market, node))
    },
  }
}

/**
 * Returns the price of the node's instance type, the caller's own or that of a list; else what OpenCost
 * reports; else base rates.
 */
export function priceNode(
  deps: PricingDeps,
  market: Market,
  node: Entity,
  offer = nodeOffer(deps, market, node),
): NodeCost {
  const cores = numberOf(node, 'capacity/cpu')
  const bytes = numberOf(node, 'capacity/memory')
  const size = cores > 0 && bytes > 0 ? { vcpus: cores, ramGib: bytes / 2 ** 30 } : undefined
  const known = (offer && offerCost(market, offer, node, size)) ?? reported(node, size)
  if (known !== undefined) return known
  const missing = textOf(node, 'instanceType') === '' ? 'instance type' : 'price'
  return { ...atRates(baseRates, size, 'base'), missing }
}

export function nodeOffer(deps: PricingDeps, market: Market, node: Entity): Offer | undefined {
  const described = describeNode(deps, market, node)
  const offer = described && findCurrent(deps, market, described)
  return offer instanceof NotFound ? undefined : offer
}

function offerCost({ catalogue }: Market, offer: Offer, node: Entity, size: Size | undefined) {
  const vcpus = offer.vcpus ?? size?.vcpus
  const ramGib = offer.ramGib ?? size?.ramGib
  if (vcpus === undefined || ramGib === undefined) return undefined
  const { pricePerHourUsd } = offer
  const origin = originOf(offer)
  // GPUs that are attached to a type have a price of their own in a list, but not in an own price.
  const gpuCount = offer.gpuCount || (origin.source === 'own' ? gpusOf(node) : 0)
  const listed = ratesOfOffer(offer, familyRatesIn(catalogue, offer))
  const rates = splitPrice(pricePerHourUsd, { vcpus, ramGib, gpuCount }, listed)
  const gpusUsd = pricePerHourUsd - vcpus * rates.corePerHourUsd - ramGib * rates.gibPerHourUsd
  return {
    ...rates,
    ...(gpuCount > 0 ? { gpuPerHourUsd: Math.max(0, gpusUsd) / countedGpus(node, gpuCount) } : {}),
    perHourUsd: pricePerHourUsd,
    ...origin,
  }
}

function originOf(offer: Offer): Pick<NodeCost, 'source' | 'day' | 'priceRules'> {
  const source = priceSourceOf(offer)
  if (source === 'base' || source === 'own') return { source }
  return { source, day: offer.day, ...(offer.priceRules && { priceRules: offer.priceRules }) }
}

/**
 * Describes a node or a machine as a price list does, or as its own price does if no list has it; undefined if it does
 * not report enough.
 */
export function describeNode(
  deps: PricingDeps,
  market: Market,
  node: Entity,
): InstanceDescription | undefined {
  const listed = describeListed(deps, market, node)
  const own = textOf(node, 'provider') === '' ? ownPlaceOf(market, node) : undefined
  if (own === undefined || (listed !== undefined && hasPrice(deps, market, listed))) return listed
  return describeAt(node, { ...own, zone: textOf(node, 'zone') })
}

function describeListed(deps: PricingDeps, market: Market, node: Entity): InstanceDescription | undefined {
  const instanceType = textOf(node, 'instanceType')
  const identity = identify(deps, market, node, instanceType)
  if (instanceType === '' || identity === undefined) return undefined
  const zone = textOf(node, 'zoneId') || textOf(node, 'zone') || identity.zone
  const region = textOf(node, 'region') || regionOf(market, identity.provider, zone)
  return describeAt(node, { provider: identity.name, region, zone })
}

type NodePlace = Pick<Offer, 'provider' | 'region' | 'zone'>

const describeAt = (node: Entity, { provider, region, zone }: NodePlace): InstanceDescription => ({
  provider,
  region,
  availability_zone: zone,
  instance_type: textOf(node, 'instanceType'),
  operating_system: textOf(node, 'operatingSystem') || 'linux',
  usage_type: textOf(node, 'capacityType') || 'ONDEMAND',
})

/**
 * Nodes do not report the name under which a price was registered. Returns the only registered provider and region with
 * such a type, in the region of the node if it reports one; undefined if there are several.
 */
function ownPlaceOf({ own }: Market, node: Entity): Omit<NodePlace, 'zone'> | undefined {
  const [instanceType, at] = [textOf(node, 'instanceType'), textOf(node, 'region')]
  if (instanceType === '') return undefined
  const operatingSystem = parseOperatingSystem(textOf(node, 'operatingSystem')) ?? 'Linux'
  const places = own.catalogues.flatMap((prices) =>
    prices
      .facets()
      .flatMap(({ provider }) =>
        (at === '' ? prices.regionsOf(provider) : [at])
          .map((region) => ({ provider, region }))
          .filter((place) => prices.offersOf({ ...place, instanceType, operatingSystem }).length > 0),
      ),
  )
  return places.length === 1 ? places[0] : undefined
}

const hasPrice = (deps: PricingDeps, market: Market, described: InstanceDescription): boolean =>
  !(findCurrent(deps, market, described) instanceof NotFound)

/**
 * Returns the provider of a machine: by name if it is reported, else by the providerID, else the only one with
 * such a type in the region.
 */
function identify(deps: PricingDeps, { catalogue }: Market, node: Entity, instanceType: string) {
  const name = textOf(node, 'provider')
  const providerId = textOf(node, 'providerId')
  if (name !== '') {
    const provider = deps.findProvider(name)
    return { name, provider, zone: provider?.nodeOf?.(providerId, instanceType)?.zone ?? '' }
  }
  if (providerId === '') {
    const operatingSystem = parseOperatingSystem(textOf(node, 'operatingSystem')) ?? 'Linux'
    const seller = onlyProviderOf(deps, catalogue, {
      region: textOf(node, 'region'),
      instanceType,
      operatingSystem,
    })
    return seller && { name: seller.key, provider: seller, zone: '' }
  }
  for (const provider of deps.providers) {
    const found = provider.nodeOf?.(providerId, instanceType)
    if (found !== undefined) return { name: provider.key, provider, zone: found.zone ?? '' }
  }
  return undefined
}

function regionOf({ catalogue }: Market, provider: Provider | undefined, zone: string): string {
  if (provider === undefined || zone === '') return ''
  return catalogue.regionsOf(provider.key).find((region) => provider.isZoneInRegion(zone, region)) ?? ''
}

function reported(node: Entity, size: Size | undefined): NodeCost | undefined {
  const corePerHourUsd = numberOf(node, 'cpuPerHourUsd')
  const gibPerHourUsd = numberOf(node, 'ramGibPerHourUsd')
  if (!(corePerHourUsd > 0 || gibPerHourUsd > 0)) return undefined
  const cost = atRates({ corePerHourUsd, gibPerHourUsd }, size, 'metric')
  const gpuCount = numberOf(node, 'gpuCount') || gpusOf(node)
  const gpusUsd = gpuCount * numberOf(node, 'gpuPerHourUsd')
  if (gpusUsd === 0) return cost
  return {
    ...cost,
    gpuPerHourUsd: gpusUsd / countedGpus(node, gpuCount),
    perHourUsd: cost.perHourUsd === null ? null : cost.perHourUsd + gpusUsd,
  }
}

/**
 * Number of GPUs of a node as pods request them. A device plugin may count each several times, so that pods share it, or
 * offer some only in parts that are not counted here.
 */
const countedGpus = (node: Entity, gpuCount: number): number => Math.max(gpusOf(node), Math.ceil(gpuCount))

const gpusOf = (node: Entity): number =>
  gpuResources.reduce((sum, resource) => sum + numberOf(node, `capacity/${resource}`), 0)

function atRates(
  { corePerHourUsd, gibPerHourUsd }: { corePerHourUsd: number; gibPerHourUsd: number },
  size: Size | undefined,
  source: NodeCost['source'],
): NodeCost {
  const perHourUsd = size ? size.vcpus * corePerHourUsd + size.ramGib * gibPerHourUsd : null
  return { corePerHourUsd, gibPerHourUsd, perHourUsd, source }
}

function textOf(node: Entity, attribute: string): string {
  const value = node.attributes.get(attribute)?.value
  return typeof value === 'string' ? value : ''
}

function numberOf(node: Entity, attribute: string): number {
  const value = node.attributes.get(attribute)?.value
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}

/**
 * Finds the provider of a machine that reports none: the only one with such a type in the region. Returns
 * undefined if several have it.
 */
export function onlyProviderOf(
  { providers }: Pick<PricingDeps, 'providers'>,
  catalogue: Catalogue,
  machine: Pick<OffersQuery, 'region' | 'instanceType' | 'operatingSystem'>,
): Provider | undefined {
  const { region, instanceType, operatingSystem } = machine
  if (region === '' || instanceType === '') return undefined
  const sellers = providers.filter(
    ({ key }) => catalogue.offersOf({ provider: key, region, instanceType, operatingSystem }).length > 0,
  )
  return sellers.length === 1 ? sellers[0] : undefined
}
