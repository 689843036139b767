import type { ExchangeRate } from '../../domain/manifest.ts'
import type { KnownZone, Offer } from '../../domain/offer.ts'
import type { Provider } from '../../domain/provider.ts'
import type { FillRules, MachineType } from '../machine.ts'
import { ImportFailure, malformed } from './http/failure.ts'
import type { Sources } from './http/sources.ts'
import type { PriceSheet } from './price-sheet.ts'

/**
 * Reads a provider's own price list. Promises of every importer:
 * - it returns every price of the list that it understands, and counts what it leaves out, by reason;
 * - it rejects with ImportFailure, and nothing else, if the list cannot be read completely; what it has read by then is
 *   discarded, so it need not clean up;
 * - it sends requests to its own endpoints only, one after another, and stops when the signal is aborted;
 * - it sends a secret only in a header of a request to such an endpoint, never in a message, sheet or address;
 * - the same answers give the same sheet.
 */
export interface Importer {
  readonly provider: Provider
  readonly needs: ImporterRequirements
  /** Addresses by name. An operator can replace each, for a mirror or a proxy. */
  readonly endpoints: Readonly<Record<string, string>>
  /** Whether the list has more than 50 MB. A service then reads it by itself only for the regions in use. */
  readonly isLarge?: true
  /** The currency in which the provider states its prices. */
  readonly currency: string
  /** Rules for what neither its list nor the last good prices say about a machine. */
  readonly fill?: FillRules
  read(context: ImportContext): Promise<PriceSheet>
}

/** What an operator has to know before turning it on. */
interface ImporterRequirements {
  /** Names of the environment variables without which nothing can be read. Any one of several is enough. */
  readonly credential: readonly string[]
  /** Variables that add something, and what they add. */
  readonly optional?: { readonly credential: readonly string[]; readonly gives: string }
  readonly limits: string
  readonly peculiarities: readonly string[]
}

export interface ImportContext {
  readonly sources: Sources
  readonly lastGood: LastGood
  endpoint(name: string): string
  /** Returns a credential by its name; undefined if there is none. */
  secret(name: string): string | undefined
  /** Returns the US dollars for one unit of a currency; fetched at most once per run of an importer. */
  exchange(from: string): Promise<ExchangeRate>
  /** The only regions whose prices are to be read; all if undefined. Only large lists are read in part. */
  readonly regions: ReadonlySet<string> | undefined
  /** YYYY-MM-DD of the refresh. */
  readonly day: string
  /** Milliseconds since 1970. */
  now(): number
  onProgress(text: string): void
}

/** A type as the last good prices know it. */
export type KnownType = MachineType & { readonly instanceType: string }

/** What the current prices contain about one provider. What a price list lacks is looked up here. */
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

/** An object from outside, of which no member is certain. */
export type Unknown = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectOf = (value: unknown): Unknown => (isObject(value) ? value : {})
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
}

export function memberOf(document: unknown, name: string, url: string): unknown {
  const value = objectOf(document)[name]
  if (value === undefined) throw malformed(url, `has no "${name}"`)
  return value
}

export const isPrice = (price: number): boolean => Number.isFinite(price) && price > 0

/** Returns an amount, such as the cores of a machine; null if it is not known. */
export const amountOf = (value: unknown): number | null => {
  const amount = numberOf(value)
  return isPrice(amount) ? amount : null
}

/** Returns a function that reads JSON with a credential. Throws if there is none. */
export function jsonWithSecret(
  { sources, secret }: ImportContext,
  name: string,
  what: string,
  headers: (secret: string) => Record<string, string> = (token) => ({ authorization: `Bearer ${token}` }),
): (url: string) => Promise<unknown> {
  const value = secret(name)
  if (value === undefined) throw new ImportFailure('needs-credential', `needs ${name}, ${what}`)
  // A credential in a header is not part of the address, so it does not appear in logs on the way.
  return (url) => sources.json({ url, secret: true, headers: () => headers(value) })
}
