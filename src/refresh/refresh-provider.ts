import type { ProviderManifest, RefreshNote } from '../domain/manifest.ts'
import type { Offer } from '../domain/offer.ts'
import type { KnownZone } from '../domain/zone.ts'
import { ImportFailure } from '../importers/live/fetching/failure.ts'
import type { SourcesOptions } from '../importers/live/fetching/sources.ts'
import type { Importer } from '../importers/live/importer.ts'
import { LastGood } from '../importers/live/last-good.ts'
import { type Imported, runImporter } from '../importers/live/run-importer.ts'
import { holdBackDrops, reasonToRefuse } from './check.ts'

/** One provider's part of a catalogue. */
export interface ProviderPrices {
  readonly offers: readonly Offer[]
  readonly zones: readonly KnownZone[]
  readonly manifest: ProviderManifest
}

export interface RefreshOptions {
  readonly endpoints?: Readonly<Record<string, string>>
  secret(name: string): string | undefined
  now(): number
  /** Accepts a list however much it differs from the last accepted one, for an operator who has checked it. */
  readonly accept?: boolean
  readonly signal?: AbortSignal
  readonly fetching?: SourcesOptions
  onProgress?(line: { readonly provider: string; readonly text: string }): void
}

/** The provider's new prices, or its old ones with the reason why they stay. Rejects only when it is stopped. */
export async function refreshProvider(
  importer: Importer,
  before: ProviderPrices,
  options: RefreshOptions,
): Promise<ProviderPrices> {
  const { key } = importer.provider
  const at = new Date(options.now()).toISOString()
  const say = (text: string) => options.onProgress?.({ provider: key, text })
  const stay = (outcome: RefreshNote['outcome'], reason: string): ProviderPrices => {
    say(`${outcome}: ${reason}; the prices of before stay in force`)
    return { ...before, manifest: { ...before.manifest, refresh: noteOf(before, at, outcome, reason) } }
  }
  let imported: Imported
  try {
    const validators = before.manifest.refresh?.validators
    imported = await runImporter(importer, {
      ...options,
      lastGood: new LastGood(before.offers, before.zones),
      ...(validators === undefined ? {} : { validators }),
      onProgress: say,
    })
  } catch (error) {
    if (!(error instanceof ImportFailure)) return stay('failed', `unexpected: ${nameOf(error)}`)
    if (error.code === 'stopped') throw error
    return stay(error.code === 'needs-credential' ? 'needs-credential' : 'failed', error.message)
  }
  if (imported.unchanged) {
    say('unchanged')
    const note = noteOf(before, at, 'unchanged', '')
    return {
      ...before,
      manifest: { ...before.manifest, refresh: { ...note, freshAt: at, notes: imported.notes } },
    }
  }
  return judge(imported, before, at, options, stay, say)
}

function judge(
  imported: Imported,
  before: ProviderPrices,
  at: string,
  { accept = false }: RefreshOptions,
  stay: (outcome: RefreshNote['outcome'], reason: string) => ProviderPrices,
  say: (text: string) => void,
): ProviderPrices {
  const absurd = imported.manifest.quarantined
  const doubt =
    imported.offers.length === 0 || !accept
      ? reasonToRefuse(imported.offers, before.offers, absurd)
      : undefined
  if (doubt !== undefined) return stay('refused', doubt)
  const held = accept
    ? { offers: imported.offers, quarantined: [] }
    : holdBackDrops(imported.offers, before.offers)
  say(`${held.offers.length} prices, ${Math.round(imported.bytes / 1e5) / 10} MB read`)
  return {
    offers: held.offers,
    zones: imported.zones,
    manifest: {
      ...imported.manifest,
      quarantined: [...absurd, ...held.quarantined],
      refresh: {
        at,
        outcome: 'fresh',
        reason: '',
        freshAt: at,
        historySince: before.manifest.refresh?.historySince ?? at,
        notes: imported.notes,
        validators: imported.validators,
      },
    },
  }
}

function noteOf(
  before: ProviderPrices,
  at: string,
  outcome: RefreshNote['outcome'],
  reason: string,
): RefreshNote {
  const { refresh } = before.manifest
  return {
    at,
    outcome,
    reason,
    freshAt: refresh?.freshAt ?? null,
    historySince: refresh?.historySince ?? null,
    notes: refresh?.notes ?? [],
    validators: refresh?.validators ?? {},
  }
}

/** An internal error: its kind shows where to look, its message might reveal too much. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'failure')
