import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Offer, PriceChange, UsageType } from '../../domain/offer.ts'
import { offerKey } from '../../providers/describe-offers.ts'
import type { PriceChanges } from '../../store/port-prices.ts'

export const historyDays = { SPOT_PREEMPTIBLE: 120, ONDEMAND: 1_100, RESERVED: 1_100 } as const

interface PriceChangeOptions {
  readonly provider: string
  readonly at: number
  /** They do not if the first list of a provider is compared with older prices from elsewhere. */
  readonly withAdditions: boolean
}

export function priceChangesBetween(
  before: readonly Offer[],
  after: readonly Offer[],
  { provider, at, withAdditions }: PriceChangeOptions,
): PriceChanges[] {
  const groups = new Map<string, { instanceType: string; usageType: UsageType; changes: PriceChange[] }>()
  const add = (offer: Offer, was: number | null, is: number | null) => {
    const { instanceType, usageType, region, zone, operatingSystem, term } = offer
    const key = `${instanceType}\n${usageType}`
    const group = groups.get(key) ?? { instanceType, usageType, changes: [] }
    groups.set(key, group)
    group.changes.push({ region, zone, operatingSystem, term, before: was, after: is })
  }
  const old = new Map(before.map((offer) => [offerKey(offer), offer]))
  for (const offer of after) {
    const was = old.get(offerKey(offer))
    old.delete(offerKey(offer))
    if (was === undefined) {
      if (withAdditions) add(offer, null, offer.pricePerHourUsd)
    } else if (was.pricePerHourUsd !== offer.pricePerHourUsd)
      add(offer, was.pricePerHourUsd, offer.pricePerHourUsd)
  }
  for (const offer of old.values()) add(offer, offer.pricePerHourUsd, null)
  return [...groups.values()].map(({ instanceType, usageType, changes }) => ({
    provider,
    instanceType,
    usageType,
    at,
    packed: packChanges(changes),
  }))
}

/**
 * Packs changes as deflated JSON, in columns, because similar values then are next to each other:
 *
 *     [regions, zones, systems, terms, before, after]
 *
 * each an array of as many items as there are changes. 70 spot prices take about 700 bytes.
 */
export function packChanges(changes: readonly PriceChange[]): Uint8Array {
  const sorted = changes.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  const columns = columnNames.map((name) => sorted.map((change) => change[name]))
  return new Uint8Array(deflateRawSync(JSON.stringify(columns), { level: 9 }))
}

export function unpackChanges(packed: Uint8Array): PriceChange[] {
  const columns = JSON.parse(
    inflateRawSync(packed, { maxOutputLength: maxUnpackedBytes }).toString(),
  ) as unknown[][]
  return columns[0]!.map(
    (_, i) =>
      Object.fromEntries(columnNames.map((name, c) => [name, columns[c]![i]])) as unknown as PriceChange,
  )
}

const columnNames = ['region', 'zone', 'operatingSystem', 'term', 'before', 'after'] as const
const maxUnpackedBytes = 64 * 1024 * 1024

const placeOf = ({ region, zone, operatingSystem, term }: PriceChange): string =>
  `${region}\n${zone}\n${operatingSystem}\n${term}`
