import type { Clock } from '../../domain/clock.ts'
import type { PricingDeps } from '../pricing/deps.ts'
import type { MachineBook } from './machine-cache.ts'
import type { FactsBook } from './machine-facts-cache.ts'

/** What the questions about machines need. */
export interface MachinesDeps {
  readonly now: Clock
  readonly machines: MachineBook
  readonly facts: FactsBook
  readonly pricing: PricingDeps
}
