import type { QuarantinedPrice, RefreshNote } from '../domain/manifest.ts'
import type { Offer } from '../domain/offer.ts'
import type { Imported } from '../importers/live/run-importer.ts'
import type { ProviderPrices, RefreshOptions } from './provider-prices.ts'

/** How one provider's refresh ended, in its manifest and in lines of progress. */
export class RefreshReport {
  readonly #provider: string
  readonly #before: ProviderPrices
  readonly #options: RefreshOptions
  readonly #at: string

  constructor(provider: string, before: ProviderPrices, options: RefreshOptions) {
    this.#provider = provider
    this.#before = before
    this.#options = options
    this.#at = new Date(options.now()).toISOString()
  }

  progress(text: string): void {
    this.#options.onProgress?.({ provider: this.#provider, text })
  }

  keepOld(outcome: RefreshNote['outcome'], reason: string): ProviderPrices {
    this.progress(`${outcome}: ${reason}; the prices of before stay in force`)
    return this.#withNote(this.#oldNote(outcome, reason))
  }

  unchanged({ notes }: Imported): ProviderPrices {
    this.progress('unchanged')
    return this.#withNote({ ...this.#oldNote('unchanged', ''), freshAt: this.#at, notes })
  }

  fresh(imported: Imported, held: HeldBack): ProviderPrices {
    this.progress(`${held.offers.length} prices, ${Math.round(imported.bytes / 1e5) / 10} MB read`)
    return {
      offers: held.offers,
      zones: imported.zones,
      manifest: {
        ...imported.manifest,
        quarantined: [...imported.manifest.quarantined, ...held.quarantined],
        refresh: {
          at: this.#at,
          outcome: 'fresh',
          reason: '',
          freshAt: this.#at,
          historySince: this.#before.manifest.refresh?.historySince ?? this.#at,
          notes: imported.notes,
          validators: imported.validators,
        },
      },
    }
  }

  #withNote(refresh: RefreshNote): ProviderPrices {
    return { ...this.#before, manifest: { ...this.#before.manifest, refresh } }
  }

  #oldNote(outcome: RefreshNote['outcome'], reason: string): RefreshNote {
    const { refresh } = this.#before.manifest
    return {
      at: this.#at,
      outcome,
      reason,
      freshAt: refresh?.freshAt ?? null,
      historySince: refresh?.historySince ?? null,
      notes: refresh?.notes ?? [],
      validators: refresh?.validators ?? {},
    }
  }
}

interface HeldBack {
  readonly offers: readonly Offer[]
  readonly quarantined: readonly QuarantinedPrice[]
}
