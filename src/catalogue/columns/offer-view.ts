import type { Architecture, Offer, OperatingSystem, Term, UsageType } from '../../domain/offer.ts'
import {
  architectureNames,
  compareOffers,
  groupOf,
  type LabelOrigin,
  type OfferColumns,
  osNames,
  type ProviderRegion,
  termNames,
  usageNames,
  usageOf,
} from './columns.ts'
import { skuIds } from './skus.ts'

export function* offersIn(columns: OfferColumns): Generator<Offer> {
  for (const view of viewsIn(columns)) yield view.copy()
}

/** Like offersIn, but yields views, which take a tenth of the memory. This matters to callers that hold all of them. */
export function* viewsIn(columns: OfferColumns): Generator<OfferView> {
  const { slotStart } = columns
  for (let s = 0; s + 1 < slotStart.length; s++)
    for (let i = slotStart[s]!; i < slotStart[s + 1]!; i++) yield new OfferView(columns, i, s)
}

/**
 * An offer whose members are read from the columns on access, so that an answer of sixty offers creates no more than
 * sixty of these objects. The members are getters on the prototype: `{ ...offer }` copies nothing, `copy()` copies all.
 */
export class OfferView implements Offer {
  readonly #columns: OfferColumns
  readonly #position: number
  readonly #slot: number

  constructor(columns: OfferColumns, position: number, slot: number) {
    this.#columns = columns
    this.#position = position
    this.#slot = slot
  }

  get position(): number {
    return this.#position
  }

  get provider(): string {
    return this.#place.provider
  }

  get region(): string {
    return this.#place.region
  }

  get instanceType(): string {
    return this.#columns.types[this.#columns.groupType[groupOf(this.#slot)]!]!
  }

  get operatingSystem(): OperatingSystem {
    return osNames[this.#columns.groupOs[groupOf(this.#slot)]!]!
  }

  get usageType(): UsageType {
    return usageNames[usageOf(this.#slot)]!
  }

  get zone(): string {
    return this.#columns.zones[this.#columns.labels.zone[this.#label]!]!
  }

  get term(): Term {
    return termNames[this.#columns.labels.term[this.#label]!]!
  }

  get source(): string {
    return this.#origin.source
  }

  get day(): string {
    return this.#origin.day
  }

  get priceRules(): readonly string[] | undefined {
    return this.#origin.priceRules
  }

  get pricePerHourUsd(): number {
    return this.#columns.offers.price[this.#position]!
  }

  get service(): string {
    const { machines } = this.#columns
    return machines.services[machines.service(this.#machine)]!
  }

  get vcpus(): number | null {
    return known(this.#columns.machines.vcpus(this.#machine))
  }

  get ramGib(): number | null {
    return known(this.#columns.machines.ramGib(this.#machine))
  }

  get architecture(): Architecture {
    return architectureNames[this.#columns.machines.architecture(this.#machine)]!
  }

  get gpuCount(): number {
    return this.#columns.machines.gpuCount(this.#machine)
  }

  get gpuName(): string {
    const { machines } = this.#columns
    return machines.gpuNames[machines.gpuName(this.#machine)]!
  }

  get monthlyCapUsd(): number | null {
    return known(this.#columns.machines.monthlyCapUsd(this.#machine))
  }

  get burstableBaseline(): number | null {
    return known(this.#columns.machines.baseline(this.#machine))
  }

  get family(): string {
    const { machines } = this.#columns
    return machines.families[machines.family(this.#machine)]!
  }

  get skuIds(): readonly string[] {
    return skuIds(this.#columns.skus, this.#position)
  }

  compareTo(other: OfferView): number {
    return compareOffers(
      this.#columns,
      this.#slot,
      this.#position,
      other.#columns,
      other.#slot,
      other.#position,
    )
  }

  copy(): Offer {
    const { provider, service, region, zone, instanceType, operatingSystem, usageType, term } = this
    const { vcpus, ramGib, architecture, gpuCount, gpuName, pricePerHourUsd, monthlyCapUsd } = this
    const { burstableBaseline, family, source, day, skuIds, priceRules } = this
    return {
      provider,
      service,
      region,
      zone,
      instanceType,
      operatingSystem,
      usageType,
      term,
      vcpus,
      ramGib,
      architecture,
      gpuCount,
      gpuName,
      pricePerHourUsd,
      monthlyCapUsd,
      burstableBaseline,
      family,
      source,
      day,
      ...(skuIds.length > 0 && { skuIds }),
      ...(priceRules && { priceRules }),
    }
  }

  toJSON(): Offer {
    return this.copy()
  }

  get #label(): number {
    return this.#columns.offers.label[this.#position]!
  }

  get #place(): ProviderRegion {
    return this.#columns.places[this.#columns.labels.place[this.#label]!]!
  }

  get #origin(): LabelOrigin {
    const { origin, origins } = this.#columns.labels
    return origins[origin[this.#label]!]!
  }

  get #machine(): number {
    return this.#columns.offers.machine[this.#position]!
  }
}

const known = (value: number): number | null => (Number.isNaN(value) ? null : value)
