import type { Offer } from '../domain/offer.ts'
import { type Facts, pricingOf } from './answer.ts'

interface Written {
  readonly offer: Offer
  readonly text: string
}

/**
 * The part of an item that belongs to its offer alone, as JSON text up to and with `"savings":`. The cheapest offers come
 * back in most answers, so each is written once. Holds for one catalogue and one set of facts, without metadata.
 */
export class WrittenOffers {
  readonly #facts: Facts
  readonly #most: number
  #byType = new Map<string, Map<string, Written[]>>()
  #count = 0

  /** About 600 bytes each. */
  constructor(facts: Facts, most = 10_000) {
    this.#facts = facts
    this.#most = most
  }

  textOf(offer: Offer): string {
    const known = this.#byType.get(offer.instanceType)?.get(offer.region)
    if (known !== undefined)
      for (const written of known) if (isSame(written.offer, offer)) return written.text
    const text = offerText(offer, this.#facts)
    this.#keep({ offer, text })
    return text
  }

  #keep(written: Written): void {
    if (this.#count >= this.#most) {
      this.#byType = new Map()
      this.#count = 0
    }
    const { instanceType, region } = written.offer
    const regions = this.#byType.get(instanceType) ?? new Map<string, Written[]>()
    const list = regions.get(region) ?? []
    list.push(written)
    this.#byType.set(instanceType, regions.set(region, list))
    this.#count += 1
  }
}

export function offerText(offer: Offer, facts: Facts): string {
  const size = { vcpus: offer.vcpus ?? 0, ramGib: offer.ramGib ?? 0 }
  const vm = { cpu_cores: size.vcpus, ram_gb: size.ramGib }
  return `{"instance_pricing":${JSON.stringify(pricingOf(offer, size, facts))},"vm":${JSON.stringify(vm)},"savings":`
}

/** Of one type and region. */
function isSame(a: Offer, b: Offer): boolean {
  return (
    a.usageType === b.usageType &&
    a.term === b.term &&
    a.zone === b.zone &&
    a.provider === b.provider &&
    a.operatingSystem === b.operatingSystem &&
    a.service === b.service
  )
}
