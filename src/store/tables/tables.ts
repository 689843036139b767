import type { Store } from '../port.ts'
import { keyTable } from './keys.ts'
import { leaseTable } from './leases.ts'
import { marketplaceTable } from './marketplace.ts'
import { modelTable } from './models.ts'
import { nodePriceTable } from './node-prices.ts'
import { priceTables } from './prices.ts'
import { recommendationTable } from './recommendations.ts'
import { sessionTable } from './sessions.ts'
import { settingsTable } from './settings.ts'
import type { SqlDatabase } from './sql.ts'

/** The sections of the store whose statements are the same in both databases. */
export const sharedTables = (
  db: SqlDatabase,
): Pick<
  Store,
  | ('keys' | 'sessions' | 'marketplace' | 'leases' | 'prices' | 'nodePrices')
  | ('settings' | 'models' | 'recommendations')
> => ({
  keys: keyTable(db),
  sessions: sessionTable(db),
  marketplace: marketplaceTable(db),
  leases: leaseTable(db),
  prices: priceTables(db),
  nodePrices: nodePriceTable(db),
  settings: settingsTable(db),
  models: modelTable(db),
  recommendations: recommendationTable(db),
})
