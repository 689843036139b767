export const usageTypes = ['ONDEMAND', 'RESERVED', 'SPOT_PREEMPTIBLE'] as const
export type UsageType = (typeof usageTypes)[number]

/** The order in which reserved prices are searched; '' is the term of prices that are not reserved. */
export const terms = [
  '',
  '1y',
  '1y-savings-plan',
  '1y-convertible',
  '3y',
  '3y-savings-plan',
  '3y-convertible',
] as const
export type Term = (typeof terms)[number]

/** '1y' or '3y'; '' for a price without a commitment. */
export const termLength = (term: Term): string => term.slice(0, 2)

/** Whether a term is that of a reservation of a type, and not of a savings plan. */
export const isReservation = (term: Term): boolean => term !== '' && !term.endsWith('-savings-plan')

export const operatingSystems = ['Linux', 'Windows'] as const
export type OperatingSystem = (typeof operatingSystems)[number]

/** '' means unknown and matches any architecture. */
export const architectures = ['', 'x86_64', 'arm64', 'i386'] as const
export type Architecture = (typeof architectures)[number]

/** One price of one machine type at one place. */
export interface Offer {
  /** The provider's key for a built-in one, the registered name for a marketplace one. */
  readonly provider: string
  readonly service: string
  readonly region: string
  /** '' if the price applies to the whole region. */
  readonly zone: string
  readonly instanceType: string
  readonly operatingSystem: OperatingSystem
  readonly usageType: UsageType
  readonly term: Term
  /** null if unknown. Such an offer can be priced but is never a candidate. */
  readonly vcpus: number | null
  readonly ramGib: number | null
  readonly architecture: Architecture
  readonly gpuCount: number
  readonly gpuName: string
  readonly pricePerHourUsd: number
  /** The most that a month can cost; null if the provider has no such cap. */
  readonly monthlyCapUsd: number | null
  /** Share of one vCPU that each vCPU of a burstable type sustains; null if the type is not burstable. */
  readonly burstableBaseline: number | null
  /** Types of one family share core and GiB rates; '' if the provider names no family. */
  readonly family: string
  readonly source: string
  /** The day of the price, YYYY-MM-DD. */
  readonly day: string
  /** Names of the organisation's price rules that made this price of the listed one, in order. Absent for a listed price. */
  readonly priceRules?: readonly string[] | undefined
  /** The provider's own ids of this price (SKU, then rate or meter); absent if none is known. */
  readonly skuIds?: readonly string[]
  /** For a custom type, a listed type of the same family, which has the same processor. Absent for listed types. */
  readonly siblingType?: string
  /** Two offers of one catalogue are the same if their positions are equal. Absent for an offer in none. */
  readonly position?: number
}

/** A change of one price; null if there was none before, or is none after. */
export interface PriceChange {
  readonly region: string
  readonly zone: string
  readonly operatingSystem: OperatingSystem
  readonly term: Term
  readonly before: number | null
  readonly after: number | null
}

/** Identifies an instance by provider, place, type, operating system and usage type, without size and price. */
export type InstanceSpec = Pick<
  Offer,
  'provider' | 'service' | 'region' | 'zone' | 'instanceType' | 'operatingSystem' | 'usageType'
>

/** One price in a provider's list, in US dollars. */
export type ListedPrice = Pick<
  Offer,
  'region' | 'zone' | 'instanceType' | 'operatingSystem' | 'usageType' | 'term' | 'pricePerHourUsd'
>

/**
 * Where a price comes from: a provider's list, such a list and the caller's price rules, the caller's own marketplace, or
 * the base rates, which are an estimate.
 */
export const priceSources = ['list', 'rule', 'own', 'base'] as const
export type PriceSourceKind = (typeof priceSources)[number]

/** A zone that is known to exist, whether or not it has prices of its own. */
export interface KnownZone {
  readonly provider: string
  readonly region: string
  readonly zone: string
}
