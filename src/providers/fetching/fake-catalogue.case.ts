import type { Offer } from '../../domain/offer.ts'
import type { Fake } from './fake-server.case.ts'
import type { Importer } from './importer.ts'

/** A small fake provider, its prices before the refresh, and expected prices that were computed by hand. */
export interface FakeCatalogue {
  readonly importer: Importer
  readonly fake: Fake
  readonly secrets: Readonly<Record<string, string>>
  readonly lastGood: readonly Offer[]
  /** type, system, usage, term, region, zone: US dollars an hour */
  readonly worked: Readonly<Record<string, number>>
  /** Returns an answer in which all prices are a hundred times too low. */
  cheapen(text: string): string
}

/**
 * Divides numbers by a hundred, in texts ("0.1920000000") and bare (0.192, nanos), after any of
 * the names that prices have.
 */
export const cheaperBody =
  (names: string) =>
  (text: string): string =>
    text.replace(
      new RegExp(`("(?:${names})": ?"?)([0-9.]+)`, 'g'),
      (_, name: string, price: string) => name + Number(price) / 100,
    )
