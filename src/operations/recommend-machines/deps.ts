import type { Clock } from '../../domain/time.ts'
import type { PricingDeps } from '../../market/deps.ts'
import type { MachineCache } from './machine-cache.ts'
import type { MachineFactsCache } from './machine-facts-cache.ts'

/** What the questions about machines need. */
export interface MachinesDeps {
  readonly now: Clock
  readonly machines: MachineCache
  readonly facts: MachineFactsCache
  readonly pricing: PricingDeps
}
