import type { MachineDecidingDeps } from '../../decisions/processes/decide-machine.ts'
import type { CoveredHourDeps } from '../../pricing/commitments/covered-hour.ts'
import type { PricingDeps } from '../../pricing/market.ts'
import type { MachineFactsCache } from './usage/machine-facts-cache.ts'

export interface MachinesDeps extends MachineDecidingDeps {
  readonly store: MachineDecidingDeps['store'] & CoveredHourDeps['store']
  readonly facts: MachineFactsCache
  readonly pricing: PricingDeps
}
