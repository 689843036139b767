import type { Settings } from '../config.ts'
import type { StoreAddress } from '../store/open.ts'

/** Where the settings place the database. */
export const storeAddress = (settings: Settings): StoreAddress => ({
  dataFolder: settings.data,
  databaseUrl: settings.databaseUrl,
  readDatabaseUrl: settings.databaseUrl === '' ? '' : settings.readDatabaseUrl,
  poolSize: settings.databaseConnections,
})
