import {
  type CatalogueAdjustment,
  type PlainColumns,
  plainColumns,
} from '../../catalogue/adjusted-catalogue.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { Provider } from '../../domain/provider.ts'
import { runOnce } from '../../runtime/worker-thread.ts'
import type { PriceRule } from './price-rule.ts'

export interface AdjustWork {
  readonly columns: PlainColumns
  readonly rules: readonly PriceRule[]
  readonly providers: readonly string[]
}

/** Applies rules to all prices in a thread of its own, so that requests are answered in the meantime. */
export function adjustInThread(
  listed: Catalogue,
  rules: readonly PriceRule[],
  providers: readonly Provider[],
): Promise<CatalogueAdjustment> {
  const work: AdjustWork = {
    columns: plainColumns(listed),
    rules,
    providers: providers.map(({ key }) => key),
  }
  return runOnce<CatalogueAdjustment>({
    script: new URL('./adjust-worker.ts', import.meta.url),
    work,
    seesEnvironment: false,
  })
}
