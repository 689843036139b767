import { eventually } from '../service.ts'
import type { Bench } from './console.ts'
import { pushLargeOrganisation } from './large-organisation.ts'
import { pushTestCluster } from './test-cluster.ts'

/** Keys of organisations with realistic data. */
export interface OrganisationKeys {
  /** Two namespaces, two machines and its own prices; the key has every scope. */
  readonly small: string
  /** Eleven namespaces in two clusters and six machines, with 30 days of usage. */
  readonly demo: string
  /** 500 namespaces, one of them with 1,000 containers, and the longest names. */
  readonly large: string
  readonly empty: string
}
export type Organisation = keyof OrganisationKeys

const scopes = ['pricing:read', 'gateway:read', 'gateway:write', 'marketplace:write', 'usage:write']

/** Creates the organisations in one service, and waits until all of their usage is digested. */
export async function createOrganisations(bench: Bench): Promise<OrganisationKeys> {
  const { service } = bench
  const [large, empty] = await Promise.all(
    ['large', 'newcomers'].map(async (organisation) => (await bench.newKey(organisation, scopes)).key),
  )
  const demo = (await service.request('/admin/demo', { method: 'POST' })).json.key
  await createSmall(bench)
  await pushLargeOrganisation(service, large!)
  await eventually(async () => (await service.request('/admin/demo')).json.loaded_until !== null)
  return { small: service.key, demo, large: large!, empty: empty! }
}

/** Two namespaces, two machines and its own prices, for the organisation of the first key. */
export async function createSmall(bench: Bench): Promise<void> {
  const { service } = bench
  await bench.newKey('reading-room', ['pricing:read', 'gateway:read'])
  const entries = ['snug-2', 'roomy-8'].map((instance_type, i) => ({
    instance_type,
    region: 'cellar',
    cpu_cores: 2 + 6 * i,
    ram_gb: 4 + 28 * i,
    cost_per_hour: 0.02 + 0.1 * i,
  }))
  await service.request('/marketplace/providers', { body: { name: 'our-cellar', entries } })
  await pushTestCluster(service, service.key)
}
