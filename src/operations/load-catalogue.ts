import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Catalogue } from '../catalogue/catalogue.ts'
import { offersIn } from '../catalogue/offer-at.ts'
import { decodeSnapshot, type Snapshot, SnapshotError } from '../catalogue/snapshot.ts'
import type { BuildManifest } from '../domain/manifest.ts'
import type { Offer } from '../domain/offer.ts'
import type { Provider } from '../domain/provider.ts'

/** The prices of the providers that are on by default, and those of all others. */
export const shippedCatalogue = fileURLToPath(new URL('../../catalogue/cheapside.catalogue', import.meta.url))
export const moreCatalogue = fileURLToPath(new URL('../../catalogue/more.catalogue', import.meta.url))

export interface LoadedCatalogue {
  readonly catalogue: Catalogue
  readonly manifest: BuildManifest
}

/** The offers of the given providers; throws CatalogueFileError with one line that names the file. */
export async function loadCatalogue(file: string, providers: readonly Provider[]): Promise<LoadedCatalogue> {
  const first = await readSnapshot(file)
  const keys = new Set(providers.map(({ key }) => key))
  const wantsMore = file === shippedCatalogue && providers.some(({ onByDefault }) => !onByDefault)
  const more = wantsMore ? [await readSnapshot(moreCatalogue)] : []
  const zoneLiesIn = zoneRule(providers)
  const only = first.manifest.providers.every(({ provider }) => keys.has(provider))
  if (more.length === 0 && only) {
    return { catalogue: Catalogue.fromSnapshot(first, zoneLiesIn), manifest: first.manifest }
  }
  const all = [first, ...more]
  const id = createHash('sha256')
    .update([...all.map((one) => one.id), ...keys].join())
    .digest('hex')
  const zones = all.flatMap((one) => one.zones).filter(({ provider }) => keys.has(provider))
  const manifest = {
    ...first.manifest,
    providers: all.flatMap((one) => one.manifest.providers).filter(({ provider }) => keys.has(provider)),
  }
  return { catalogue: Catalogue.from(offersOf(all, keys), { id, zones, zoneLiesIn }), manifest }
}

/** What providers know of their zones, by provider key. */
export function zoneRule(providers: readonly Provider[]) {
  const byKey = new Map(providers.map((provider) => [provider.key, provider]))
  return (provider: string, zone: string, region: string): boolean =>
    byKey.get(provider)?.zoneLiesIn(zone, region) ?? false
}

export async function readSnapshot(file: string): Promise<Snapshot> {
  try {
    return decodeSnapshot(await readFile(file))
  } catch (error) {
    const failure = error as NodeJS.ErrnoException
    if (!(error instanceof SnapshotError) && failure.code === undefined) throw error
    const why = failure.code === 'ENOENT' ? 'there is no such file' : failure.message
    throw new CatalogueFileError(`The catalogue ${file} cannot be used: ${why}`, { cause: error })
  }
}

export class CatalogueFileError extends Error {
  override readonly name = 'CatalogueFileError'
}

function* offersOf(snapshots: readonly Snapshot[], keys: ReadonlySet<string>): Generator<Offer> {
  for (const { columns } of snapshots) {
    for (const offer of offersIn(columns)) if (keys.has(offer.provider)) yield offer
  }
}
