import { shippedDisks } from '../../catalogue/shipped-facts.ts'
import type { DescribedDisk, DiskOffer } from '../../domain/disk.ts'
import { baseDiskGibPerHourUsd } from '../../domain/money.ts'
import { NotFound } from '../../domain/not-found.ts'
import type { UsageType } from '../../domain/offer.ts'
import { baseProvider } from '../../providers/providers.ts'
import type { PricingDeps } from '../market.ts'
import { resolveRegion } from '../names.ts'
import { fieldNotFound, nearestOrAll, quoted } from '../not-found.ts'
import { currentDisk, offersNamed } from './cheaper-disks.ts'
import type { PricedDisk } from './disk-price.ts'
import { rowLimit } from './disk-price-row.ts'

export type DiskDeps = Pick<PricingDeps, 'catalogue' | 'providers' | 'findProvider'>

interface WantedDisk extends DescribedDisk {
  readonly zone?: string
  readonly usageType?: UsageType
}

/** Finds what a disk costs: at an own price first, otherwise at the list price of its provider. */
export function findDisk(deps: DiskDeps, own: readonly DiskOffer[], disk: WantedDisk): PricedDisk | NotFound {
  const provider = deps.findProvider(disk.provider)
  if (provider === baseProvider) return baseDisk(disk)
  const mine = own.filter((offer) => same(offer.provider, disk.provider))
  if (provider === undefined && mine.length === 0)
    return new NotFound('unknown-provider', `No provider of disks is named ${quoted(disk.provider)}.`)
  const region = provider === undefined ? disk.region : resolveRegion(deps.catalogue(), provider, disk.region)
  const all = provider === undefined ? mine : shippedDisks(provider.key)
  const here = all.filter((offer) => same(offer.region, region))
  if (here.length === 0)
    return new NotFound(
      'unknown-region',
      `There are no prices of disks in the region ${quoted(disk.region)} of ${disk.provider}.`,
      {
        nearest: { regions: nearestOrAll(disk.region, [...new Set(all.map((offer) => offer.region))]) },
      },
    )
  const named = offersNamed(here, disk.type)
  if (named.length === 0)
    return new NotFound(
      'unknown-instance-type',
      `There is no price of the disk type ${quoted(disk.type)} in ${region}.`,
      {
        nearest: { instance_types: nearestOrAll(disk.type, [...new Set(here.map(({ type }) => type))]) },
      },
    )
  const { usageType = 'ONDEMAND', zone = '' } = disk
  const sold = named.filter(
    (offer) => offer.usageType === usageType && (offer.zone === '' || offer.zone === zone),
  )
  if (disk.iops === undefined && sold.some(mustSayIops))
    return fieldNotFound('/iops', `is required: IOPS of ${sold[0]!.type} are bought apart`)
  return (
    currentDisk(sold, disk) ??
    new NotFound(
      'no-price',
      `No ${disk.type} in ${region} has this size, these IOPS and this throughput with usage type ${usageType}.`,
    )
  )
}

/** Nothing is included, so the price would lack what such a disk is bought for. */
const mustSayIops = ({ iops, iopsPerHourUsd }: DiskOffer): boolean =>
  iops.included === 0 && iops.perGib === 0 && iopsPerHourUsd > 0 && iops.max !== Number.POSITIVE_INFINITY

/** A disk at the base rate, whose speed does not matter. */
export function baseDisk({ type, capacityGib, iops = 0, throughputMbps = 0 }: DescribedDisk): PricedDisk {
  const any = rowLimit(0, null)
  const offer: DiskOffer = {
    provider: baseProvider.key,
    service: baseProvider.service,
    region: '',
    zone: '',
    type,
    tier: '',
    usageType: 'ONDEMAND',
    traits: [],
    gibPerHourUsd: baseDiskGibPerHourUsd,
    iopsPerHourUsd: 0,
    mbpsPerHourUsd: 0,
    minGib: 0,
    maxGib: Number.POSITIVE_INFINITY,
    iops: any,
    throughput: any,
    mbpsPerIops: 0,
    source: 'base rates',
    day: '',
    isEstimate: true,
  }
  const pricePerHourUsd = capacityGib * baseDiskGibPerHourUsd
  return { offer, pricePerHourUsd, billedGib: capacityGib, iops, throughputMbps }
}

export const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
