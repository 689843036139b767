import { baseRates } from '../../domain/money.ts'
import type { Entity } from '../../usage/digest/entities.ts'
import type { Market, PricingDeps } from '../pricing/deps.ts'
import { priceNode } from '../pricing/price-node.ts'
import { reportedMachine } from './reported-machine.ts'

/** What a machine costs, and how large it is where that is known. */
export interface MachinePrice {
  readonly corePerHourUsd: number
  readonly gibPerHourUsd: number
  /** Null where its size is not known. */
  readonly perHourUsd: number | null
  readonly cores: number | undefined
  readonly gib: number | undefined
}

/** From the caller's own prices or the catalogue, else at base rates. */
export function priceMachine(deps: PricingDeps, market: Market, machine: Entity | undefined): MachinePrice {
  const { cores, gib } = reportedMachine(machine)
  const cost = machine && priceNode(deps, market, machine)
  return { ...(cost ?? { ...baseRates, perHourUsd: null }), cores, gib }
}
