import { createHash } from 'node:crypto'
import type { BuildManifest, ProviderManifest } from '../domain/manifest.ts'
import type { Offer } from '../domain/offer.ts'
import type { Provider } from '../domain/provider.ts'
import { programFile, readAnyFile } from '../runtime/program-files.ts'
import { Catalogue } from './catalogue.ts'
import { offersIn } from './columns/offer-view.ts'
import type { CatalogueRules } from './rules.ts'
import { shippedFacts } from './shipped-facts.ts'
import { decodeSnapshot, type Snapshot, SnapshotError } from './snapshot/snapshot.ts'

/** The prices of the providers that are on by default. The prices of all others are in `moreCatalogue`. */
export const shippedCatalogue = programFile('catalogue/cheapside.catalogue')
const moreCatalogue = programFile('catalogue/more.catalogue')

export interface LoadedCatalogue {
  readonly catalogue: Catalogue
  readonly manifest: BuildManifest
}

/** Loads the offers of the given providers. Throws CatalogueFileError with a message of one line that names the file. */
export async function loadCatalogue(file: string, providers: readonly Provider[]): Promise<LoadedCatalogue> {
  const first = await readSnapshot(file)
  return file === shippedCatalogue ? addEnabledProviders(first, providers) : catalogueOf([first], providers)
}

/** A snapshot of the default providers, and the shipped prices of providers that an operator turned on. */
export async function addEnabledProviders(
  usual: Snapshot,
  providers: readonly Provider[],
): Promise<LoadedCatalogue> {
  const wantsMore = providers.some(({ onByDefault }) => !onByDefault)
  return catalogueOf(wantsMore ? [usual, await readSnapshot(moreCatalogue)] : [usual], providers)
}

function catalogueOf(snapshots: readonly Snapshot[], providers: readonly Provider[]): LoadedCatalogue {
  const [first] = snapshots as [Snapshot]
  const keys = new Set(providers.map(({ key }) => key))
  const rules = catalogueRules(providers)
  const described = describedProviders(snapshots)
  if (snapshots.length === 1 && described.every(({ provider }) => keys.has(provider))) {
    return { catalogue: Catalogue.fromSnapshot(first, rules), manifest: first.manifest }
  }
  const id = createHash('sha256')
    .update([...snapshots.map((snapshot) => snapshot.id), ...keys].join())
    .digest('hex')
  const zones = snapshots.flatMap((snapshot) => snapshot.zones).filter(({ provider }) => keys.has(provider))
  const manifest = { ...first.manifest, providers: described.filter(({ provider }) => keys.has(provider)) }
  return { catalogue: Catalogue.from(offersOf(snapshots, keys), { ...rules, id, zones }), manifest }
}

/** A provider that a refresh has read has its prices in the first snapshot, and shipped ones in another. The former count. */
function describedProviders(snapshots: readonly Snapshot[]): ProviderManifest[] {
  const described = new Map<string, ProviderManifest>()
  for (const { manifest } of snapshots)
    for (const one of manifest.providers) {
      const before = described.get(one.provider)
      if (before === undefined) described.set(one.provider, one)
      else if (before.offers === 0 && before.refresh !== undefined)
        described.set(one.provider, { ...one, refresh: before.refresh })
    }
  return [...described.values()]
}

/** What the providers declare about zones, and what is known about types and regions. */
export function catalogueRules(providers: readonly Provider[]): Required<CatalogueRules> {
  const byKey = new Map(providers.map((provider) => [provider.key, provider]))
  const { machines, places } = shippedFacts()
  return {
    isZoneInRegion: (provider, zone, region) => byKey.get(provider)?.isZoneInRegion(zone, region) ?? false,
    isLocalZone: (provider, zone) => byKey.get(provider)?.isLocalZone?.(zone) ?? false,
    isSoldIn: (provider, instanceType, region) =>
      byKey.get(provider)?.isSoldIn?.(instanceType, region) ?? true,
    isReservable: (provider, instanceType) => byKey.get(provider)?.isReservable?.(instanceType) ?? true,
    areaOf: (provider, region) => places.area(provider, region),
    traitsOf: (provider, instanceType) => machines.traits(provider, instanceType),
  }
}

export async function readSnapshot(file: string): Promise<Snapshot> {
  try {
    return decodeSnapshot(await readAnyFile(file))
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
  const wanted = new Set(keys)
  for (const { columns, manifest } of snapshots) {
    for (const offer of offersIn(columns)) if (wanted.has(offer.provider)) yield offer
    for (const { provider, offers } of manifest.providers) if (offers > 0) wanted.delete(provider)
  }
}
