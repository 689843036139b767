import { baseRates, monthUsd } from '../domain/money.ts'
import { parseOperatingSystem, parseUsageType } from '../domain/names.ts'
import { NotFound } from '../domain/not-found.ts'
import type { Offer, OperatingSystem, UsageType } from '../domain/offer.ts'
import { gibBytes } from '../usage/digest/digest.ts'
import type { Entity } from '../usage/digest/entities.ts'
import { findCurrent } from './find-current.ts'
import type { Market, PricingDeps } from './market.ts'
import { describeNode, type NodeCost, nodeOffer, priceNode } from './price-node.ts'

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

/** `machine` is undefined if it is known only by its processes, as with process exporters. */
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

/** What a machine costs, and its size if it is known. */
export interface MachinePrice extends NodeCost {
  readonly offer: Offer | undefined
  /** The cost of 730 hours, at most the monthly cap of the price; null if its price is not known. */
  readonly perMonthUsd: number | null
  readonly cores: number | undefined
  readonly gib: number | undefined
}

/** Returns the price of a machine as priceNode does; base rates if nothing is known about the machine. */
export function priceMachine(deps: PricingDeps, market: Market, machine: Entity | undefined): MachinePrice {
  const { cores, gib } = reportedMachine(machine)
  const offer = machine && nodeOffer(deps, market, machine)
  const cost = machine === undefined ? unknownPrice : priceNode(deps, market, machine, offer)
  const { perHourUsd } = cost
  const perMonthUsd = perHourUsd === null ? null : monthUsd(perHourUsd, offer?.monthlyCapUsd ?? null)
  return { ...cost, offer, perMonthUsd, cores, gib }
}

const unknownPrice: NodeCost = {
  ...baseRates,
  perHourUsd: null,
  source: 'base',
  missing: 'instance type',
}

/** Explains why a machine is priced at base rates: which facts it does not report, or what no price list has. */
export function whyUnpriced(deps: PricingDeps, market: Market, machine: Entity | undefined): string {
  const described = machine && describeNode(deps, market, machine)
  const reports = (name: string): boolean => Boolean(machine?.attributes.get(name)?.value)
  const missing = [
    ...(described || reports('provider') || reports('providerId') ? [] : ['provider']),
    ...(described?.region || reports('region') ? [] : ['region']),
    ...(reports('instanceType') ? [] : ['instance type']),
  ]
  if (missing.length > 0)
    return `The price of the machine is not known: it does not report its ${listed(missing)}. Configure the agent to report ${missing.length === 1 ? 'it' : 'them'}${ownPrice}`
  const found = described && findCurrent(deps, market, described)
  const cause = found instanceof NotFound ? causeOf(found) : undefined
  return `The price of the machine is not known: ${cause ?? 'no price list has it'}. Correct what the agent reports${ownPrice}`
}

/** Names of built-in providers are reserved, so an own price needs another name. */
const ownPrice =
  ', or register a price at /marketplace/providers and configure the agent to report the provider of that price.'

/** Returns a clause like: the catalogue has no type "cx22" of Hetzner; nearest: cx23, cx33 */
function causeOf({ code, reason, nearest = {} }: NotFound): string | undefined {
  if (code === 'invalid') return undefined
  const names = Object.values(nearest)
    .find((some) => some.length > 0)
    ?.slice(0, maxNames)
  const clause = reason.replace(/\.$/, '').replace(/^(The|No) /, (word) => word.toLowerCase())
  return clause + (names === undefined ? '' : `; nearest: ${names.join(', ')}`)
}

const maxNames = 3

/** provider, region and instance type */
const listed = (names: readonly string[]): string =>
  names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
