import type { Provider } from '../../domain/provider.ts'
import { loadOfClouds } from '../providers.ts'
import type { FactsReader } from './facts-reader.ts'

/** How a provider's facts are read. The file is named after the provider's key. */
export interface FactsFile extends FactsReader {
  readonly provider: Provider
}

export const factsFiles: readonly FactsFile[] = await loadOfClouds(({ provider, facts }) =>
  facts?.().then((reader) => ({ provider, ...reader })),
)
