import { hash } from 'node:crypto'
import { naturalKeyOf } from '../../domain/marketplace.ts'
import { roundHourly } from '../../domain/money.ts'
import type { Offer } from '../../domain/offer.ts'
import { instancePricing, type OfferFacts } from '../answer/answer.ts'
import type { Size } from '../current-offer.ts'
import { marketplaceSource } from '../own-prices/own-prices.ts'
import type { ComputePrice } from './schema.ts'

export function computePrice(
  offer: Offer,
  { vcpus, ramGib }: Size,
  facts: OfferFacts,
  /** The requested zone, whose name may differ from that of the zone that is priced. */
  zone = '',
): ComputePrice {
  const cpu_cores = offer.vcpus ?? vcpus
  const ram_gb = offer.ramGib ?? ramGib
  const pricing = instancePricing(offer, { vcpus, ramGib }, facts)
  const { cost_per_hour, cpu_cores_cost_per_hour, ram_gb_cost_per_hour } = pricing
  const rest = cost_per_hour - cpu_cores * cpu_cores_cost_per_hour - ram_gb * ram_gb_cost_per_hour
  const day = offer.day === '' ? null : `${offer.day}T00:00:00.000Z`
  return {
    id: idOf(offer),
    ...pricing,
    architecture: offer.architecture,
    cpu_cores,
    ram_gb,
    period_billing_hours: billingHours(offer),
    currency: 'USD',
    native_cost_per_hour: cost_per_hour,
    gpu_count: offer.gpuCount,
    gpu_type: offer.gpuName,
    gpu_cost_per_hour: offer.gpuCount > 0 ? roundHourly(Math.max(0, rest) / offer.gpuCount) : 0,
    tags: zoneTags(offer, zone),
    created_at: day,
    updated_at: day,
  }
}

const yearHours = 8760

/** Hours that are bought at once: one, or a whole term. */
const billingHours = ({ term }: Offer): number => (term === '' ? 1 : Number.parseInt(term, 10) * yearHours)

/** Names such as us-east-1a mean a different zone in each account, so only the region's cheapest zone can be priced. */
function zoneTags(offer: Offer, asked: string): ComputePrice['tags'] {
  if (asked === '' || offer.zone === '' || offer.zone.toLowerCase() === asked.toLowerCase()) return {}
  return { availability_zone_requested: asked, availability_zone_priced: 'cheapest of the region' }
}

const idOf = (offer: Offer): string =>
  offer.source === marketplaceSource
    ? (offer.skuIds?.[0] ?? '')
    : uuidOf(`${naturalKeyOf(offer)}\n${offer.term}`)

/** Returns the same UUID for the same text. RFC 9562, version 8: the bits are defined by the application. */
export function uuidOf(text: string): string {
  const hex = hash('sha256', text, 'hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
