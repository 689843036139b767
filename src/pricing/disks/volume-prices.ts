import type { DiskOffer } from '../../domain/disk.ts'
import { NotFound } from '../../domain/not-found.ts'
import type { Store } from '../../store/port.ts'
import { readEntities } from '../../usage/digest/entities.ts'
import type { UsageStore } from '../../usage/port.ts'
import type { VolumeDay } from '../../usage/reading/volume-days.ts'
import { marketOf, type PricingDeps } from '../market.ts'
import { describeNode } from '../price-node.ts'
import { adviseClaim, type ClaimRecommendation, type DiskPlace, priceClaim } from './claims.ts'
import type { PricedDisk } from './disk-price.ts'
import { offerOfRow, ownDisks } from './own-disks.ts'

export interface VolumesDeps {
  readonly pricing: PricingDeps
  readonly store: Pick<Store, 'settings'> & { readonly usage: Pick<UsageStore, 'entities'> }
}

type DescribedVolume = Pick<VolumeDay, 'cluster' | 'storageClass' | 'gib' | 'usedGib'>

/** The price of a GiB of volumes of one class and size. */
export interface VolumePrice {
  readonly priceKind: string
  readonly gibPerHourUsd: number
  readonly isEstimate: boolean
}

/** Identifies volumes of a cluster that have the same price. */
export const priceNameOf = ({ storageClass, gib }: Pick<VolumeDay, 'storageClass' | 'gib'>): string =>
  `${storageClass}/${gib}`

/** Prices the volumes of clusters as disks of the region in which most nodes of the cluster are. */
export class VolumePrices {
  readonly #deps: PricingDeps
  readonly #places: ReadonlyMap<string, Omit<DiskPlace, 'own'>>
  readonly #own: readonly DiskOffer[]
  readonly #found = new Map<string, PricedDisk | NotFound>()

  private constructor(
    deps: PricingDeps,
    places: ReadonlyMap<string, Omit<DiskPlace, 'own'>>,
    own: readonly DiskOffer[],
  ) {
    this.#deps = deps
    this.#places = places
    this.#own = own
  }

  static async open({ pricing, store }: VolumesDeps, organisation: string, cluster?: string) {
    const own = await ownDisks({ store }, organisation)
    return new VolumePrices(
      pricing,
      await placesOf({ pricing, store }, organisation, cluster),
      own.map(offerOfRow),
    )
  }

  /** Where the volumes of a cluster are; undefined if no node of it says where it is. */
  placeOf(cluster: string): DiskPlace | undefined {
    const place = this.#places.get(cluster)
    return place && { ...place, own: this.#own }
  }

  priceOf({ cluster, storageClass, gib }: DescribedVolume): PricedDisk | NotFound {
    const place = this.placeOf(cluster)
    if (place === undefined) return noPlace
    return this.#found.getOrInsertComputed(`${cluster}\0${storageClass}\0${gib}`, () =>
      priceClaim(this.#deps, { storageClass, capacityGib: gib }, place),
    )
  }

  /** Undefined without a price. */
  unitPriceOf(volume: DescribedVolume): VolumePrice | undefined {
    const disk = this.priceOf(volume)
    if (disk instanceof NotFound) return undefined
    const { type, region, isEstimate = false } = disk.offer
    return { priceKind: `${region}/${type}`, gibPerHourUsd: disk.pricePerHourUsd / volume.gib, isEstimate }
  }

  advise({ cluster, storageClass, gib, usedGib }: DescribedVolume): ClaimRecommendation {
    const claim = { namespace: '', name: '', storageClass, capacityGib: gib, usedGib }
    const place = this.placeOf(cluster)
    return place === undefined
      ? { claim, current: noPlace, unusedPerHourUsd: 0 }
      : adviseClaim(this.#deps, claim, place)
  }
}

const noPlace = new NotFound('unknown-region', 'No node of the cluster reports its provider and region.')

async function placesOf({ pricing, store }: VolumesDeps, organisation: string, cluster: string | undefined) {
  const market = await marketOf(pricing, organisation)
  const query = { kinds: ['node'] as const, ...(cluster === undefined ? {} : { cluster }) }
  const counts = new Map<string, Map<string, { place: Omit<DiskPlace, 'own'>; count: number }>>()
  for (const node of (await readEntities(store.usage, organisation, query)).values()) {
    const { provider, region } = describeNode(pricing, market, node) ?? {}
    if (provider === undefined || region === undefined || region === '') continue
    const places = counts.getOrInsertComputed(node.ref.cluster, () => new Map())
    places.getOrInsertComputed(`${provider}\0${region}`, () => ({ place: { provider, region }, count: 0 }))
      .count++
  }
  return new Map(
    [...counts].map(([name, places]) => [
      name,
      [...places.values()].reduce((a, b) => (b.count > a.count ? b : a)).place,
    ]),
  )
}
