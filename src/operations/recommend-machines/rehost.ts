import { searchAll } from '../../catalogue/catalogue.ts'
import { parseArchitecture } from '../../domain/architectures.ts'
import { hoursPerMonth, roundHourly, roundSum } from '../../domain/money.ts'
import type { Predicates } from '../../domain/need.ts'
import type { Offer } from '../../domain/offer.ts'
import { parseUsageType } from '../../domain/usage-types.ts'
import { monthOf } from '../../pricing/savings.ts'
import type { Market, PricingDeps } from '../pricing/deps.ts'
import { factsOf } from '../pricing/facts.ts'
import type { Amount } from './machine.ts'
import type { MachineFacts } from './machine-facts.ts'
import { type MachinePrice, operatingSystemOf } from './machine-price.ts'

/** A machine's new home. Savings are negative where it has to grow. */
export interface Home {
  readonly provider: string
  readonly region: string
  readonly availabilityZone: string
  readonly instanceType: string
  readonly usageType: string
  readonly cpuCores: number
  readonly ramGb: number
  readonly costPerHour: number
  readonly savingsPerHour: number | null
  readonly savingsPerMonth: number | null
}

/** The cheapest instances that hold a size, bought as the machine is. */
export interface Rehost {
  readonly currentCostPerHour: number | null
  readonly anywhere: Home | null
  readonly sameRegion: Home | null
}

export function rehost(
  deps: PricingDeps,
  market: Market,
  machine: { readonly facts: MachineFacts; readonly price: MachinePrice },
  size: Amount,
  meanCores: number,
): Rehost {
  const { facts, price } = machine
  const architecture = price.offer?.architecture || parseArchitecture(facts.architecture)
  const usageType = price.offer?.usageType ?? parseUsageType(facts.usageType) ?? 'ONDEMAND'
  const cheapest = (where: Predicates): Home | null => {
    const [found] = searchAll([market.catalogue, ...market.own.catalogues], {
      vcpus: size.cores,
      ramGib: size.gib,
      sustainedVcpus: meanCores,
      operatingSystem: operatingSystemOf(facts),
      ...(architecture ? { architectures: [architecture] } : {}),
      gpu: { count: price.offer?.gpuCount ?? 0, name: price.offer?.gpuName ?? '' },
      belowPerHourUsd: Number.POSITIVE_INFINITY,
      belowPerMonthUsd: Number.POSITIVE_INFINITY,
      predicates: { usageTypes: [usageType], ...where },
      limit: 1,
      offersPerType: 1,
    })
    const offer = found?.offers[0]
    return offer === undefined ? null : homeOf(offer)
  }
  const homeOf = (offer: Offer): Home => ({
    provider: factsOf(deps, market, false).displayName(offer),
    region: offer.region,
    availabilityZone: offer.zone,
    instanceType: offer.instanceType,
    usageType: offer.usageType,
    cpuCores: offer.vcpus!,
    ramGb: offer.ramGib!,
    costPerHour: roundHourly(offer.pricePerHourUsd),
    savingsPerHour: price.perHourUsd === null ? null : roundHourly(price.perHourUsd - offer.pricePerHourUsd),
    savingsPerMonth: monthNow(price) === null ? null : roundSum(monthNow(price)! - monthOf(offer)),
  })
  const here = price.offer && { providers: [price.offer.provider], regions: [price.offer.region] }
  return {
    currentCostPerHour: price.perHourUsd === null ? null : roundHourly(price.perHourUsd),
    anywhere: cheapest({}),
    sameRegion: here ? cheapest(here) : null,
  }
}

function monthNow({ offer, perHourUsd }: MachinePrice): number | null {
  if (offer !== undefined) return monthOf(offer)
  return perHourUsd === null ? null : perHourUsd * hoursPerMonth
}
