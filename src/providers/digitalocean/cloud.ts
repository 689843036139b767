import type { Cloud } from '../cloud.ts'
import { digitaloceanProvider } from './provider.ts'

export const digitalocean: Cloud = {
  provider: digitaloceanProvider,
  facts: async () => (await import('./facts.ts')).digitaloceanFacts,
  prices: async () => (await import('./live.ts')).digitaloceanImporter,
  terraform: async () => [(await import('./terraform.ts')).digitaloceanPlans],
  metadata: async () => (await import('./metadata.ts')).digitaloceanMetadata,
}
