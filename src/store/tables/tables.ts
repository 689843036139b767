import type { Store } from '../port.ts'
import { documentTable } from './documents.ts'
import { keyTable, sessionTable } from './keys.ts'
import { leaseTable } from './leases.ts'
import { marketplaceTable } from './marketplace.ts'
import { nodePriceTable } from './node-prices.ts'
import { priceTables } from './prices.ts'
import { recommendationTable } from './recommendations.ts'
import { modelTable, settingsTable } from './settings.ts'
import type { SqlDatabase } from './sql.ts'

export const sharedTables = (
  db: SqlDatabase,
): Pick<
  Store,
  | ('keys' | 'sessions' | 'marketplace' | 'leases' | 'prices' | 'nodePrices')
  | ('settings' | 'models' | 'documents' | 'recommendations')
> => ({
  keys: keyTable(db),
  sessions: sessionTable(db),
  marketplace: marketplaceTable(db),
  leases: leaseTable(db),
  prices: priceTables(db),
  nodePrices: nodePriceTable(db),
  settings: settingsTable(db),
  models: modelTable(db),
  documents: documentTable(db),
  recommendations: recommendationTable(db),
})
