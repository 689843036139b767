import type { Cloud } from '../cloud.ts'
import { hetznerProvider } from './provider.ts'

export const hetzner: Cloud = {
  provider: hetznerProvider,
  facts: async () => ({}),
  prices: async () => (await import('./live.ts')).hetznerImporter,
  terraform: async () => [(await import('./terraform.ts')).hetznerPlans],
  inventory: async () => (await import('./inventory.ts')).hetznerInventory,
  metadata: async () => (await import('./metadata.ts')).hetznerMetadata,
}
