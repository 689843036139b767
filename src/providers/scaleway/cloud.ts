import type { Cloud } from '../cloud.ts'
import { scalewayProvider } from './provider.ts'

export const scaleway: Cloud = {
  provider: scalewayProvider,
  facts: async () => ({}),
  prices: async () => (await import('./live.ts')).scalewayImporter,
  terraform: async () => [(await import('./terraform.ts')).scalewayPlans],
  inventory: async () => (await import('./inventory.ts')).scalewayInventory,
  metadata: async () => (await import('./metadata.ts')).scalewayMetadata,
}
