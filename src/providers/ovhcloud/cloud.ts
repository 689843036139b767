import type { Cloud } from '../cloud.ts'
import { ovhcloudProvider } from './provider.ts'

export const ovhcloud: Cloud = {
  provider: ovhcloudProvider,
  facts: async () => (await import('./facts.ts')).ovhcloudFacts,
  prices: async () => (await import('./live.ts')).ovhcloudImporter,
  terraform: async () => {
    const { openstackPlans, ovhcloudPlans } = await import('./terraform.ts')
    return [ovhcloudPlans, openstackPlans]
  },
  metadata: async () => (await import('./metadata.ts')).ovhcloudMetadata,
}
