import { afterEach, describe } from 'vitest'
import { changesContract } from './contract/changes.case.ts'
import type { ContractContext, FreshDatabase } from './contract/contract-context.case.ts'
import { decisionsContract } from './contract/decisions.case.ts'
import { documentsContract } from './contract/documents.case.ts'
import { keysContract } from './contract/keys.case.ts'
import { leasesContract } from './contract/leases.case.ts'
import { lifecycleContract } from './contract/lifecycle.case.ts'
import { marketplaceContract } from './contract/marketplace.case.ts'
import { marketplaceIdsContract } from './contract/marketplace-ids.case.ts'
import { modelsContract } from './contract/models.case.ts'
import { nodeLoadsContract } from './contract/node-loads.case.ts'
import { nodePricesContract } from './contract/node-prices.case.ts'
import { pricesContract } from './contract/prices.case.ts'
import { recommendationsContract } from './contract/recommendations.case.ts'
import { sessionsContract } from './contract/sessions.case.ts'
import { settingsContract } from './contract/settings.case.ts'
import { usageReadingContract } from './contract/usage-reading.case.ts'
import { usageWritingContract } from './contract/usage-writing.case.ts'
import type { Store } from './port.ts'

/**
 * Tests all guarantees of the port. Every implementation runs it. `createTables` may return a database whose tables exist
 * already, which is faster to open.
 */
export function storeContract(
  name: string,
  createDatabase: () => Promise<FreshDatabase>,
  createTables = createDatabase,
): void {
  describe(`the store's contract on ${name}`, () => {
    let opened: Store[] = []
    afterEach(async () => {
      await Promise.all(opened.map((store) => store.close()))
      opened = []
    })
    const openedOn = (database: FreshDatabase): FreshDatabase => {
      return {
        ...database,
        async open() {
          const store = await database.open()
          opened.push(store)
          return store
        },
      }
    }
    const setting: ContractContext = {
      fresh: async () => openedOn(await createDatabase()),
      freshStore: async () => openedOn(await createTables()).open(),
      async twoNodes() {
        const database = openedOn(await createTables())
        return [await database.open(), await database.open()]
      },
    }
    keysContract(setting)
    sessionsContract(setting)
    marketplaceContract(setting)
    marketplaceIdsContract(setting)
    changesContract(setting)
    leasesContract(setting)
    pricesContract(setting)
    settingsContract(setting)
    modelsContract(setting)
    documentsContract(setting)
    recommendationsContract(setting)
    decisionsContract(setting)
    usageWritingContract(setting)
    usageReadingContract(setting)
    nodeLoadsContract(setting)
    nodePricesContract(setting)
    lifecycleContract(setting)
  })
}
