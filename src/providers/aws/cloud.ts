import type { Cloud } from '../cloud.ts'
import { awsProvider } from './provider.ts'

export const aws: Cloud = {
  provider: awsProvider,
  facts: async () => ({ fill: (await import('./sizes.ts')).awsFill }),
  prices: async () => (await import('./live.ts')).awsImporter,
  terraform: async () => [(await import('./terraform.ts')).awsPlans],
  inventory: async () => (await import('./inventory.ts')).awsInventory,
  usage: async () => (await import('./inventory.ts')).cloudWatchUsage,
  metadata: async () => (await import('./metadata.ts')).awsMetadata,
}
