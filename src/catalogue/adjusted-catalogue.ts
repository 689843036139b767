import { Catalogue } from './catalogue.ts'
import {
  type AdjustedColumns,
  adjustColumns,
  type PriceAdjuster,
  withAdjusted,
} from './columns/adjust-columns.ts'
import type { OfferColumns } from './columns/columns.ts'
import { Machines, type OfferMachine } from './columns/machines.ts'
import type { CatalogueRules } from './rules.ts'
import type { SortedLists } from './search/list-entries.ts'
import { buildListsOf, indexAdjusted } from './search/search-index.ts'

/** Columns without what adjusting prices does not read, in a form that a thread can receive. */
export interface PlainColumns extends Omit<OfferColumns, 'machines' | 'skus'> {
  readonly machines: readonly OfferMachine[]
  readonly skuFirstOf: OfferColumns['skus']['firstOf']
  readonly skuRestOf: OfferColumns['skus']['restOf']
}

export interface CatalogueAdjustment {
  readonly columns: AdjustedColumns
  readonly lists: SortedLists
}

export function plainColumns({ columns }: Catalogue): PlainColumns {
  const { skus, machines, ...others } = columns
  return { ...others, machines: machines.all(), skuFirstOf: skus.firstOf, skuRestOf: skus.restOf }
}

/** Takes about a second for all offers, so it runs in a thread. */
export function buildAdjustment(
  { skuFirstOf, skuRestOf, machines, ...plain }: PlainColumns,
  adjusterFor: (columns: OfferColumns) => PriceAdjuster,
  rules: CatalogueRules,
): CatalogueAdjustment {
  const skus = { firstOf: skuFirstOf, restOf: skuRestOf } as OfferColumns['skus']
  const base: OfferColumns = { ...plain, machines: new Machines(machines), skus }
  const columns = adjustColumns(base, adjusterFor(base))
  return { columns, lists: buildListsOf(withAdjusted(base, columns), rules) }
}

export function adjustedCatalogue(
  base: Catalogue,
  id: string,
  { columns, lists }: CatalogueAdjustment,
): Catalogue {
  const all = withAdjusted(base.columns, columns)
  return new Catalogue(all, {
    ...base.rules,
    id,
    zones: base.zones,
    prepared: { ...base.prepared(), lists },
    searchIndex: indexAdjusted(base.searchIndex, all, lists),
  })
}
