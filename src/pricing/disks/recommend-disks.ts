import { shippedDisks, shippedFacts } from '../../catalogue/shipped-facts.ts'
import type { DiskOffer } from '../../domain/disk.ts'
import { parseUsageType } from '../../domain/names.ts'
import { NotFound } from '../../domain/not-found.ts'
import { type UsageType, usageTypes } from '../../domain/offer.ts'
import { baseProvider } from '../../providers/providers.ts'
import { noSavings, savingsBetween } from '../answer/savings.ts'
import { resolveRegions } from '../names.ts'
import { invalidField, knownNames, quoted } from '../not-found.ts'
import { cheaperDisks, diskChanges, diskNeed, offersNamed } from './cheaper-disks.ts'
import type { PricedDisk } from './disk-price.ts'
import { diskMetadata, diskPriceRow } from './disk-price-row.ts'
import { baseDisk, type DiskDeps, findDisk, same } from './find-disk.ts'
import { offerOfRow } from './own-disks.ts'
import type { DiskItem, DiskPredicates, DiskQuestion, DiskRecommendationQuestion, DiskRow } from './schema.ts'

export type DiskPricingDeps = DiskDeps & { ownDisks(organisation: string): Promise<readonly DiskRow[]> }

const maxTypes = 20
const maxOffersOfType = 3

export async function priceDiskOf(
  deps: DiskPricingDeps,
  organisation: string,
  disk: DiskQuestion,
): Promise<DiskRow | NotFound> {
  const market = await diskMarket(deps, organisation)
  const current = currentOf(deps, market, disk)
  if (current instanceof NotFound) return current
  return market.row(current, disk.include_metadata === true ? [] : undefined)
}

/** Returns the disk under `base`, then the cheapest disks of each type that do what it is used for. */
export async function recommendDisks(
  deps: DiskPricingDeps,
  organisation: string,
  { instance, usage, predicates = {}, include_metadata }: DiskRecommendationQuestion,
): Promise<(readonly [label: string, items: readonly DiskItem[]])[] | NotFound> {
  const market = await diskMarket(deps, organisation)
  const current = currentOf(deps, market, instance)
  if (current instanceof NotFound) return withInstance(current)
  const { capacity_gb = 0, iops, throughput_mbps } = usage ?? {}
  const used = {
    capacityGib: capacity_gb ?? 0,
    iops: iops ?? undefined,
    throughputMbps: throughput_mbps ?? undefined,
  }
  const need = diskNeed(current, instance.capacity_gb ?? 0, used)
  const candidates = candidatesFor(deps, market.own, current.offer, predicates)
  const types = predicates.instance_types ?? []
  const isNamed = (offer: DiskOffer) => types.some((name) => offersNamed([offer], name).length > 0)
  const disk = described(instance, current, market)
  const base = {
    disk,
    disk_pricing: market.row(current, include_metadata ? [] : undefined),
    savings: noSavings,
  }
  const groups = new Map<string, DiskItem[]>()
  for (const found of cheaperDisks(current, need, candidates, isNamed)) {
    const savings = savingsBetween(uncapped(current), uncapped(found))
    const items = groups.get(found.offer.type) ?? []
    if (savings === null || items.length === maxOffersOfType) continue
    if (items.length === 0 && groups.size === maxTypes) continue
    const changes = include_metadata ? diskChanges(current.offer, found.offer) : undefined
    groups.set(found.offer.type, [...items, { disk, disk_pricing: market.row(found, changes), savings }])
  }
  return [['base', [base]], ...groups]
}

const uncapped = ({ pricePerHourUsd }: PricedDisk) => ({ pricePerHourUsd, monthlyCapUsd: null })

interface DiskMarket {
  readonly own: readonly DiskOffer[]
  row(disk: PricedDisk, changes: readonly string[] | undefined): DiskRow
  nameOf(offer: DiskOffer): { displayName: string; service: string }
}

async function diskMarket(deps: DiskPricingDeps, organisation: string): Promise<DiskMarket> {
  const registered = new Map(
    (await deps.ownDisks(organisation)).map((row) => [offerOfRow(row), row] as const),
  )
  const nameOf = (offer: DiskOffer) =>
    deps.providers.find(({ key }) => key === offer.provider) ?? {
      displayName: offer.provider,
      service: offer.service,
    }
  return {
    own: [...registered.keys()],
    nameOf,
    row: (disk, changes) => {
      const own = registered.get(disk.offer)
      const source = own ? 'own' : disk.offer.provider === baseProvider.key ? 'base' : 'list'
      const raw = changes === undefined ? {} : diskMetadata(disk, changes, source)
      return own
        ? { ...own, raw_pricing_data: { ...raw, ...(changes && { registered: own.raw_pricing_data }) } }
        : diskPriceRow(disk.offer, nameOf(disk.offer), raw)
    },
  }
}

function currentOf(deps: DiskPricingDeps, { own }: DiskMarket, disk: DiskQuestion): PricedDisk | NotFound {
  const { provider, type, capacity_gb, iops, throughput_mbps } = disk
  const zone = disk.availability_zone ?? ''
  const region = disk.region || zone
  const falls = disk.fallback_to_base_pricing === true
  const required = {
    provider,
    type,
    ...(provider && deps.findProvider(provider) === baseProvider ? {} : { region }),
  }
  const missing = Object.entries(falls ? {} : required).flatMap(([member, value]) => (value ? [] : [member]))
  if (!(typeof capacity_gb === 'number' && capacity_gb > 0)) missing.push('capacity_gb')
  if (missing.length > 0)
    return new NotFound('invalid', 'The disk is not described well enough to find its price.', {
      errors: missing.map((member) => ({ pointer: `/${member}`, message: 'is required' })),
    })
  const wanted = {
    provider: provider ?? '',
    region,
    type: type ?? '',
    zone,
    usageType: disk.usage_type ? usageTypeOf(disk.usage_type, '/usage_type') : 'ONDEMAND',
    capacityGib: capacity_gb!,
    iops: iops ?? undefined,
    throughputMbps: throughput_mbps ?? undefined,
  } as const
  const found = findDisk(deps, own, wanted)
  return found instanceof NotFound && falls && found.code !== 'invalid' ? baseDisk(wanted) : found
}

function usageTypeOf(name: string, pointer: string): UsageType {
  const usageType = parseUsageType(name)
  if (usageType === undefined) throw invalidField(pointer, knownNames(usageTypes))
  return usageType
}

/** A disk stays with its machine: in the same region of the same provider, unless the caller names others. */
function candidatesFor(
  deps: DiskPricingDeps,
  own: readonly DiskOffer[],
  current: DiskOffer,
  predicates: DiskPredicates,
): DiskOffer[] {
  const names = (member: keyof DiskPredicates) => predicates[member] ?? []
  const isLifted = (member: keyof DiskPredicates) => names(member).includes('*')
  const [providers, regions, zones] = [names('providers'), names('regions'), names('availability_zones')]
  const wanted = providers.filter((name) => name !== '*').map((name) => deps.findProvider(name)?.key ?? name)
  providers.forEach((name, i) => {
    if (
      name !== '*' &&
      deps.findProvider(name) === undefined &&
      !own.some((offer) => same(offer.provider, name))
    )
      throw invalidField(`/predicates/providers/${i}`, `${quoted(name)} is not known`)
  })
  const regionNames = regions.flatMap((name) => resolveRegions(deps.catalogue(), name))
  const isPlaceNamed = regions.length > 0 || zones.length > 0
  const { places } = shippedFacts()
  const isNear = ({ provider, region }: DiskOffer): boolean => {
    if (provider === current.provider) return same(region, current.region)
    const area = places.areaAround(current.provider, current.region)
    return area === undefined || places.area(provider, region) === area
  }
  const isProvider = ({ provider }: DiskOffer): boolean =>
    wanted.length > 0
      ? wanted.some((name) => same(name, provider))
      : isLifted('providers') || isPlaceNamed || provider === current.provider
  const isRegion = (offer: DiskOffer): boolean =>
    regions.length > 0
      ? isLifted('regions') || regionNames.some((name) => same(name, offer.region))
      : zones.length > 0 || isNear(offer)
  const isZone = (offer: DiskOffer): boolean =>
    zones.length === 0 || isLifted('availability_zones') || zones.some((zone) => isInZone(deps, offer, zone))
  const types = names('instance_types')
  const isType = (offer: DiskOffer): boolean =>
    types.length === 0 ||
    isLifted('instance_types') ||
    types.some((name) => offersNamed([offer], name).length > 0)
  const usage = names('usage_types')
    .filter((name) => name !== '*')
    .map((name, i) => usageTypeOf(name, `/predicates/usage_types/${i}`))
  const isUsage = ({ usageType }: DiskOffer): boolean =>
    isLifted('usage_types') ||
    (usage.length > 0 ? usage.includes(usageType) : usageType === current.usageType)
  const listed = deps.providers
    .flatMap(({ key }) => shippedDisks(key))
    .filter((offer) => isProvider(offer) && isRegion(offer))
  const mine = own.filter(
    (offer) => (wanted.length === 0 || isProvider(offer)) && (regions.length === 0 || isRegion(offer)),
  )
  return [...mine, ...listed].filter((offer) => isZone(offer) && isType(offer) && isUsage(offer))
}

function isInZone({ providers }: DiskPricingDeps, { provider, region, zone }: DiskOffer, wanted: string) {
  if (zone !== '') return same(zone, wanted)
  return providers.find(({ key }) => key === provider)?.isZoneInRegion(wanted, region) ?? true
}

function described(disk: DiskQuestion, { offer }: PricedDisk, market: DiskMarket): DiskItem['disk'] {
  const { displayName, service } = market.nameOf(offer)
  return {
    id: disk.id ?? '',
    provider: disk.provider || displayName,
    service: disk.service || service,
    region: disk.region || offer.region,
    availability_zone: disk.availability_zone ?? '',
    type: disk.type ?? '',
    usage_type: offer.usageType,
    capacity_gb: disk.capacity_gb ?? 0,
    iops: disk.iops ?? null,
    throughput_mbps: disk.throughput_mbps ?? null,
    fallback_to_base_pricing: disk.fallback_to_base_pricing ?? false,
  }
}

const withInstance = ({ code, reason, nearest, errors }: NotFound): NotFound =>
  new NotFound(code, reason, {
    nearest,
    errors: errors?.map(({ pointer, message }) => ({ pointer: `/instance${pointer}`, message })),
  })
