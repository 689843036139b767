import type { Cloud } from '../cloud.ts'
import { gcpProvider } from './provider.ts'

export const gcp: Cloud = {
  provider: gcpProvider,
  facts: async () => (await import('./facts.ts')).gcpFacts,
  prices: async () => (await import('./live.ts')).gcpImporter,
  terraform: async () => [(await import('./terraform.ts')).gcpPlans],
  inventory: async () => (await import('./inventory.ts')).gcpInventory,
  metadata: async () => (await import('./metadata.ts')).gcpMetadata,
}
