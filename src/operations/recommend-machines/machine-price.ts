import { baseRates } from '../../domain/money.ts'
import type { Entity } from '../../usage/digest/entities.ts'
import type { Market, PricingDeps } from '../pricing/deps.ts'
import { type NodeCost, priceNode } from '../pricing/price-node.ts'
import { machineFactsOf } from './machine-facts.ts'

/** What a machine costs, and how large it is where that is known. */
export interface MachinePrice extends NodeCost {
  readonly cores: number | undefined
  readonly gib: number | undefined
}

/** From the caller's own prices or the catalogue, else at base rates. */
export function priceMachine(deps: PricingDeps, market: Market, machine: Entity | undefined): MachinePrice {
  const { cores, gib } = machineFactsOf(machine)
  const cost = machine && priceNode(deps, market, machine)
  return { ...(cost ?? unknownPrice), cores, gib }
}

const unknownPrice: NodeCost = {
  ...baseRates,
  perHourUsd: null,
  source: 'base',
  missing: 'instance type',
}
