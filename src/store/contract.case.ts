import { afterEach, describe } from 'vitest'
import { answersContract } from './contract/answers.case.ts'
import { changesContract } from './contract/changes.case.ts'
import type { ContractContext, FreshDatabase } from './contract/contract-context.case.ts'
import { keysContract } from './contract/keys.case.ts'
import { leasesContract } from './contract/leases.case.ts'
import { lifecycleContract } from './contract/lifecycle.case.ts'
import { marketplaceContract } from './contract/marketplace.case.ts'
import { marketplaceIdsContract } from './contract/marketplace-ids.case.ts'
import { modelsContract } from './contract/models.case.ts'
import { nodeLoadsContract } from './contract/node-loads.case.ts'
import { pricesContract } from './contract/prices.case.ts'
import { recommendationsContract } from './contract/recommendations.case.ts'
import { sessionsContract } from './contract/sessions.case.ts'
import { settingsContract } from './contract/settings.case.ts'
import { usageReadingContract } from './contract/usage-reading.case.ts'
import { usageWritingContract } from './contract/usage-writing.case.ts'
import type { Store } from './port.ts'

/** Tests all guarantees of the port. Every implementation runs it. */
export function storeContract(name: string, createDatabase: () => Promise<FreshDatabase>): void {
  describe(`the store's contract on ${name}`, () => {
    let opened: Store[] = []
    afterEach(async () => {
      await Promise.all(opened.map((store) => store.close()))
      opened = []
    })
    const fresh = async () => {
      const database = await createDatabase()
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
      fresh,
      freshStore: async () => (await fresh()).open(),
      async twoNodes() {
        const database = await fresh()
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
    answersContract(setting)
    recommendationsContract(setting)
    usageWritingContract(setting)
    usageReadingContract(setting)
    nodeLoadsContract(setting)
    lifecycleContract(setting)
  })
}
