import { baseRates } from '../domain/money.ts'
import { parseOperatingSystem, parseUsageType } from '../domain/names.ts'
import type { OperatingSystem, UsageType } from '../domain/offer.ts'
import type { Entity } from '../usage/digest/entities.ts'
import { gibBytes } from '../usage/reading/pod-usage.ts'
import type { Market, PricingDeps } from './deps.ts'
import { type NodeCost, priceNode } from './price-node.ts'

/** Facts that a machine reports about itself; '' and undefined if missing. */
export interface ReportedMachine {
  readonly provider: string
  readonly region: string
  readonly zone: string
  readonly instanceType: string
  readonly usageType: UsageType
  readonly operatingSystem: OperatingSystem
  readonly architecture: string
  readonly cores: number | undefined
  readonly gib: number | undefined
}

/** Undefined for a machine that is known only by its processes, as with process exporters. */
export function reportedMachine(machine: Entity | undefined): ReportedMachine {
  const text = (name: string): string => {
    const value = machine?.attributes.get(name)?.value
    return typeof value === 'string' ? value : ''
  }
  const size = (name: string): number | undefined => {
    const value = machine?.attributes.get(name)?.value
    return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : undefined
  }
  const bytes = size('capacity/memory')
  return {
    provider: text('provider'),
    region: text('region'),
    zone: text('zone'),
    instanceType: text('instanceType'),
    usageType: parseUsageType(text('capacityType')) ?? 'ONDEMAND',
    operatingSystem: parseOperatingSystem(text('operatingSystem')) ?? 'Linux',
    architecture: text('architecture'),
    cores: size('capacity/cpu'),
    gib: bytes === undefined ? undefined : bytes / gibBytes,
  }
}

/** What a machine costs, and how large it is where that is known. */
export interface MachinePrice extends NodeCost {
  readonly cores: number | undefined
  readonly gib: number | undefined
}

/** From the caller's own prices or the catalogue, else at base rates. */
export function priceMachine(deps: PricingDeps, market: Market, machine: Entity | undefined): MachinePrice {
  const { cores, gib } = reportedMachine(machine)
  const cost = machine && priceNode(deps, market, machine)
  return { ...(cost ?? unknownPrice), cores, gib }
}

const unknownPrice: NodeCost = {
  ...baseRates,
  perHourUsd: null,
  source: 'base',
  missing: 'instance type',
}
