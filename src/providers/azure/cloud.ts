import type { Cloud } from '../cloud.ts'
import { azureProvider } from './provider.ts'

export const azure: Cloud = {
  provider: azureProvider,
  facts: async () => ({ fill: (await import('./sizes.ts')).azureFill }),
  prices: async () => (await import('./live.ts')).azureImporter,
  terraform: async () => [(await import('./terraform.ts')).azurePlans],
  inventory: async () => (await import('./inventory.ts')).azureInventory,
  usage: async () => (await import('./inventory.ts')).azureMonitorUsage,
  metadata: async () => (await import('./metadata.ts')).azureMetadata,
}
