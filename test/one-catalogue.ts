import { vi } from 'vitest'
import type { LoadedCatalogue } from '../src/catalogue/load-catalogue.ts'

// Commands that run in the process of the test load the catalogue as a process of their own would, which takes a second. They
// share what was loaded: a catalogue never changes.

// This file is run again for each test file of a worker.
const everywhere = globalThis as { loadedCatalogues?: Map<string, Promise<LoadedCatalogue>> }
everywhere.loadedCatalogues ??= new Map()
const loaded = everywhere.loadedCatalogues

vi.mock('../src/catalogue/load-catalogue.ts', async (original) => {
  const actual = await original<typeof import('../src/catalogue/load-catalogue.ts')>()
  const loadCatalogue: typeof actual.loadCatalogue = (file, providers) =>
    file === actual.shippedCatalogue
      ? loaded.getOrInsertComputed(providers.map(({ key }) => key).join(), () =>
          actual.loadCatalogue(file, providers),
        )
      : actual.loadCatalogue(file, providers)
  return { ...actual, loadCatalogue }
})
