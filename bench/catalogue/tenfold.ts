import type { Catalogue } from '../../src/catalogue/catalogue.ts'
import type { CatalogueRules } from '../../src/catalogue/rules.ts'
import { encodeSnapshot } from '../../src/catalogue/snapshot/snapshot.ts'
import type { BuildManifest } from '../../src/domain/manifest.ts'
import type { KnownZone, Offer } from '../../src/domain/offer.ts'
import { seeded } from './random.ts'

/**
 * Five times the types in twice the regions. The first copy is the original, so that the same questions can be asked.
 */
const typeCopies = 5
const regionCopies = 2

/** Builds a snapshot ten times as large as the catalogue. It takes about a minute. */
export function tenfoldSnapshot(catalogue: Catalogue, manifest: BuildManifest): Buffer {
  return encodeSnapshot(tenfoldOffers(catalogue), tenfoldZones(catalogue.zones), manifest, 1)
}

/**
 * Repeats every offer ten times, with other names of types and regions and prices that differ by up to 5%; everything
 * else is equal.
 */
function* tenfoldOffers(catalogue: Catalogue): Generator<Offer> {
  const random = seeded(10)
  for (const offer of catalogue.offers())
    for (let t = 0; t < typeCopies; t++)
      for (let r = 0; r < regionCopies; r++) {
        const isOriginal = t + r === 0
        const move = isOriginal ? 1 : 0.95 + 0.1 * random()
        const cap = offer.monthlyCapUsd
        yield {
          ...offer,
          instanceType: copyName(offer.instanceType, t),
          region: copyName(offer.region, r),
          zone: offer.zone === '' ? '' : copyName(offer.zone, r),
          pricePerHourUsd: Number((offer.pricePerHourUsd * move).toPrecision(6)),
          monthlyCapUsd: cap === null ? null : Number((cap * move).toPrecision(6)),
        }
      }
}

const tenfoldZones = (zones: readonly KnownZone[]): KnownZone[] =>
  zones.flatMap((zone) =>
    Array.from({ length: regionCopies }, (_, r) => ({
      provider: zone.provider,
      region: copyName(zone.region, r),
      zone: copyName(zone.zone, r),
    })),
  )

const copyName = (name: string, copy: number): string => (copy === 0 ? name : `${name}~${copy}`)

/** The rules for the larger catalogue: a copy has the kind, the speed and the area of its original. */
export function tenfoldRules(rules: Required<CatalogueRules>): CatalogueRules {
  return {
    isZoneInRegion: (provider, zone, region) =>
      copyOf(zone) === copyOf(region) &&
      rules.isZoneInRegion(provider, originalName(zone), originalName(region)),
    isLocalZone: (provider, zone) => rules.isLocalZone(provider, originalName(zone)),
    areaOf: (provider, region) => rules.areaOf(provider, originalName(region)),
    traitsOf: (provider, instanceType) => rules.traitsOf(provider, originalName(instanceType)),
  }
}

const originalName = (name: string): string => name.replace(/~\d$/, '')
const copyOf = (name: string): string => name.slice(originalName(name).length)
