import type { Offer } from '../../../domain/offer.ts'
import type { Fake } from '../fakes/server.case.ts'
import type { Importer } from '../importer.ts'

/** A small provider, what was known of it before, and prices of it worked out by hand. */
export interface FakeCatalogue {
  readonly importer: Importer
  readonly fake: Fake
  readonly secrets: Readonly<Record<string, string>>
  readonly lastGood: readonly Offer[]
  /** type, system, usage, term, region, zone: US dollars an hour */
  readonly worked: Readonly<Record<string, number>>
  /** Says how an answer looks with all prices a hundred times too low. */
  cheapen(text: string): string
}

/** Numbers in texts ("0.1920000000") and bare ones (0.192, nanos) after any of the names that prices have. */
export const cheaperBody =
  (names: string) =>
  (text: string): string =>
    text.replace(
      new RegExp(`("(?:${names})": ?"?)([0-9.]+)`, 'g'),
      (_, name: string, price: string) => name + Number(price) / 100,
    )
