import type { Offer } from '../domain/offer.ts'
import { type Facts, pricingOf } from './answer.ts'
import type { Price } from './savings.ts'

/** What an answer needs of an offer, made once. */
export interface WrittenOffer {
  /** What opens the group of its type: a comma, the label, and a bracket. */
  readonly opening: Uint8Array
  /** The bytes of the item's JSON text up to and with `"savings":`; null where the offer's size is not known. */
  readonly bytes: Uint8Array | null
  readonly price: Price
}

/**
 * The cheapest offers come back in most answers, so each is written once. Holds for one catalogue and one set of facts,
 * without metadata.
 */
export class WrittenOffers {
  readonly #facts: Facts
  readonly #most: number
  readonly #byPosition = new Map<number, WrittenOffer>()

  /** About 600 bytes each. */
  constructor(facts: Facts, most = 20_000) {
    this.#facts = facts
    this.#most = most
  }

  of(offer: Offer): WrittenOffer {
    const { position } = offer
    if (position === undefined) return writeOffer(offer, this.#facts)
    const known = this.#byPosition.get(position)
    if (known !== undefined) return known
    if (this.#byPosition.size >= this.#most) this.#byPosition.clear()
    const written = writeOffer(offer, this.#facts)
    this.#byPosition.set(position, written)
    return written
  }
}

export function writeOffer(offer: Offer, facts: Facts): WrittenOffer {
  const { vcpus, ramGib, pricePerHourUsd, monthlyCapUsd } = offer
  const price = { pricePerHourUsd, monthlyCapUsd }
  const opening = encoder.encode(`,${JSON.stringify(offer.instanceType)}:[`)
  if (vcpus === null || ramGib === null) return { opening, bytes: null, price }
  const pricing = JSON.stringify(pricingOf(offer, { vcpus, ramGib }, facts))
  const vm = JSON.stringify({ cpu_cores: vcpus, ram_gb: ramGib })
  return { opening, bytes: encoder.encode(`{"instance_pricing":${pricing},"vm":${vm},"savings":`), price }
}

const encoder = new TextEncoder()
