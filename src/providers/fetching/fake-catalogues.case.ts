import { importers } from '../importers.ts'
import type { FakeCatalogue } from './fake-catalogue.case.ts'

/** One for each importer, in the same order, each from fake-catalogue.case.ts in the directory of its provider. */
export const fakeCatalogues: readonly FakeCatalogue[] = await Promise.all(
  importers.map(async ({ provider }) => {
    const file = new URL(`../${provider.key}/fake-catalogue.case.ts`, import.meta.url)
    return ((await import(file.href)) as { readonly fakeCatalogue: FakeCatalogue }).fakeCatalogue
  }),
)
