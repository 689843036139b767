import type { Clock } from '../../domain/time.ts'
import type { PricingDeps } from '../../pricing/market.ts'
import type { MachineCache } from './usage/machine-cache.ts'
import type { MachineFactsCache } from './usage/machine-facts-cache.ts'

export interface MachinesDeps {
  readonly now: Clock
  readonly machines: MachineCache
  readonly facts: MachineFactsCache
  readonly pricing: PricingDeps
}
