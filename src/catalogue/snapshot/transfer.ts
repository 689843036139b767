import type { KnownZone } from '../../domain/offer.ts'
import { Catalogue } from '../catalogue.ts'
import type { LabelOrigin, OfferColumns, ProviderRegion } from '../columns/columns.ts'
import { Machines, type OfferMachine } from '../columns/machines.ts'
import { TextTable } from '../columns/skus.ts'
import type { CatalogueRules } from '../rules.ts'
import type { ProviderFacets } from '../search/facets.ts'
import type { SortedLists } from '../search/list-entries.ts'
import type { FamilyGroups } from '../search/lookup.ts'

/** Arrays are moved, texts are joined into one text, and what takes long to compute is not computed again. */
export interface TransferredCatalogue {
  readonly id: string
  /** All texts (see Texts) as JSON. */
  readonly texts: string
  readonly labels: Omit<OfferColumns['labels'], 'origins'>
  readonly skus: MovedSkus
  readonly arrays: Pick<OfferColumns, 'groupType' | 'groupOs' | 'slotStart' | 'offers'>
  readonly lists: SortedLists
}

interface MovedSkus {
  readonly firstOf: OfferColumns['skus']['firstOf']
  readonly restOf: OfferColumns['skus']['restOf']
  readonly first: MovedTable
  readonly rest: MovedTable
}

interface MovedTable {
  readonly bytes: Uint8Array
  readonly starts: Uint32Array
}

interface Texts {
  readonly types: readonly string[]
  readonly places: readonly ProviderRegion[]
  readonly zones: readonly string[]
  readonly knownZones: readonly KnownZone[]
  readonly machines: readonly OfferMachine[]
  readonly origins: readonly LabelOrigin[]
  readonly facets: readonly ProviderFacets[]
  readonly families: readonly (readonly [string, readonly number[]])[]
}

/** Takes a catalogue apart for `postMessage(moved, buffers)`, after which it cannot be used in this thread. */
export function detachCatalogue(catalogue: Catalogue): {
  moved: TransferredCatalogue
  buffers: ArrayBuffer[]
} {
  const { columns } = catalogue
  const { labels, skus, groupType, groupOs, slotStart, offers } = columns
  const { lists, facets, families } = catalogue.prepared()
  const { origins, ...movedLabels } = labels
  const texts: Texts = {
    types: columns.types,
    places: columns.places,
    zones: columns.zones,
    knownZones: catalogue.zones,
    machines: columns.machines.all(),
    origins,
    facets,
    families: [...families],
  }
  const moved: TransferredCatalogue = {
    id: catalogue.id,
    texts: JSON.stringify(texts),
    labels: movedLabels,
    skus: { ...skus, first: tableOf(skus.first), rest: tableOf(skus.rest) },
    arrays: { groupType, groupOs, slotStart, offers },
    lists,
  }
  return { moved, buffers: buffersIn(moved) }
}

export function attachCatalogue(moved: TransferredCatalogue, rules: CatalogueRules): Catalogue {
  const texts = JSON.parse(moved.texts) as Texts
  const { types, places, zones, machines, origins } = texts
  const columns: OfferColumns = {
    count: moved.arrays.offers.price.length,
    types,
    places,
    zones,
    ...moved.arrays,
    machines: new Machines(machines),
    labels: { ...moved.labels, origins },
    skus: { ...moved.skus, first: tableFrom(moved.skus.first), rest: tableFrom(moved.skus.rest) },
  }
  const families: FamilyGroups = new Map(texts.families)
  const prepared = { lists: moved.lists, facets: texts.facets, families }
  return new Catalogue(columns, { ...rules, id: moved.id, zones: texts.knownZones, prepared })
}

/** Copies the bytes of small buffers, which share their memory with others and therefore must not be moved. */
function tableOf({ bytes, starts }: TextTable): MovedTable {
  const isAlone = bytes.byteLength === bytes.buffer.byteLength
  return { bytes: isAlone ? bytes : new Uint8Array(bytes), starts }
}

const tableFrom = ({ bytes, starts }: MovedTable): TextTable =>
  new TextTable(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), starts)

/** Returns the buffers of all arrays in a value, to be moved to another thread. */
export function buffersIn(value: unknown, found = new Set<ArrayBuffer>()): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer)
  else if (typeof value === 'object' && value !== null && !(value instanceof Map))
    for (const member of Object.values(value)) buffersIn(member, found)
  return [...found]
}
