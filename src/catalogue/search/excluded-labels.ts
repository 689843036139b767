import type { Need } from '../../domain/need.ts'
import { termLength } from '../../domain/offer.ts'
import type { PriceLabel } from '../columns/columns.ts'

/** Labels of offers that a search leaves out: those in local zones, and those with a term of another length. */
export class ExcludedLabels {
  /** By label: 1 if its zone is a local one. */
  readonly local: Uint8Array
  readonly #labels: readonly PriceLabel[]
  readonly #marks = new Map<string, Uint8Array>()

  constructor(labels: readonly PriceLabel[], isLocalZone: (provider: string, zone: string) => boolean) {
    this.#labels = labels
    this.local = Uint8Array.from(labels, ({ provider, zone }) =>
      zone !== '' && isLocalZone(provider, zone) ? 1 : 0,
    )
  }

  /** By label: 1 if the need excludes it. Undefined if it excludes none. */
  marksFor({ withoutLocalZones = false, termLength: length }: Need): Uint8Array | undefined {
    if (length === undefined) return withoutLocalZones ? this.local : undefined
    return this.#marks.getOrInsertComputed(`${length} ${withoutLocalZones}`, () =>
      Uint8Array.from(this.#labels, ({ term }, label) => {
        const isOther = term !== '' && termLength(term) !== length
        return isOther || (withoutLocalZones && this.local[label] === 1) ? 1 : 0
      }),
    )
  }
}
