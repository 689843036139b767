import type { DiskOffer, DisksFile, DiskTypeRow } from '../domain/disk.ts'
import { hoursPerMonth } from '../domain/money.ts'
import { programFile, readAnyFileSync } from '../runtime/program-files.ts'

let shipped: ReadonlyMap<string, readonly DiskOffer[]> | undefined

/** Returns the prices of disks of a provider. They are read from the file on the first call. */
export function shippedDisks(provider: string): readonly DiskOffer[] {
  shipped ??= readShipped()
  return shipped.get(provider) ?? []
}

function readShipped(): ReadonlyMap<string, readonly DiskOffer[]> {
  const file = JSON.parse(readAnyFileSync(programFile('catalogue/disks.json')).toString()) as DisksFile
  return Map.groupBy(file.types.flatMap(offersOf), ({ provider }) => provider)
}

function offersOf({ prices, ...type }: DiskTypeRow): DiskOffer[] {
  // A tier is sold as a whole, so its price is that of all its GiB.
  const gib = type.tier === '' ? 1 : type.maxGib
  return prices.map(([region, capacityUsd, iopsUsd = 0, mbpsUsd = 0]) => ({
    ...type,
    service: '',
    region,
    zone: '',
    usageType: 'ONDEMAND',
    gibPerHourUsd: capacityUsd / gib / hoursPerMonth,
    iopsPerHourUsd: iopsUsd / hoursPerMonth,
    mbpsPerHourUsd: mbpsUsd / hoursPerMonth,
  }))
}
