import type { Clock } from '../../domain/time.ts'
import type { MachineCache } from '../../machine-usage/machine-cache.ts'
import type { MachineFactsCache } from '../../machine-usage/machine-facts-cache.ts'
import type { PricingDeps } from '../../market/market.ts'

export interface MachinesDeps {
  readonly now: Clock
  readonly machines: MachineCache
  readonly facts: MachineFactsCache
  readonly pricing: PricingDeps
}
