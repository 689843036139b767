import type { KnownZone, Offer } from '../../domain/offer.ts'
import type { MachineType } from '../machine.ts'

/** A type as the last good prices know it. */
export interface KnownType extends MachineType {
  readonly instanceType: string
}

/** What the prices in force know of one provider: what a price list lacks is looked up here. */
export class LastGood {
  readonly offers: readonly Offer[]
  readonly zones: readonly KnownZone[]
  readonly #types = new Map<string, KnownType>()
  readonly #regionsOf = new Map<string, Set<string>>()

  constructor(offers: readonly Offer[], zones: readonly KnownZone[] = []) {
    this.offers = offers
    this.zones = zones
    for (const offer of offers) {
      const known = this.#types.get(offer.instanceType)
      if (known === undefined || (known.vcpus === null && offer.vcpus !== null))
        this.#types.set(offer.instanceType, typeOf(offer))
      const regions = this.#regionsOf.get(offer.instanceType)
      if (regions === undefined) this.#regionsOf.set(offer.instanceType, new Set([offer.region]))
      else regions.add(offer.region)
    }
  }

  get types(): ReadonlyMap<string, KnownType> {
    return this.#types
  }

  type(instanceType: string): KnownType | undefined {
    return this.#types.get(instanceType)
  }

  regionsOf(instanceType: string): ReadonlySet<string> {
    return this.#regionsOf.get(instanceType) ?? new Set()
  }
}

function typeOf({ instanceType, vcpus, ramGib, architecture, gpuCount, gpuName }: Offer): KnownType {
  return { instanceType, vcpus, ramGib, architecture, gpuCount, gpuName }
}
