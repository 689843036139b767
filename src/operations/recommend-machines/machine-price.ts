import { baseRates } from '../../domain/money.ts'
import type { Offer } from '../../domain/offer.ts'
import { parseOperatingSystem } from '../../domain/operating-systems.ts'
import { Problem } from '../../domain/problem.ts'
import { parseUsageType } from '../../domain/usage-types.ts'
import { splitPrice } from '../../pricing/split.ts'
import type { Market, PricingDeps } from '../pricing/deps.ts'
import { factsOf } from '../pricing/facts.ts'
import { findCurrent } from '../pricing/find-current.ts'
import type { MachineFacts } from './machine-facts.ts'

/** What a machine costs. */
export interface MachinePrice {
  readonly corePerHourUsd: number
  readonly gibPerHourUsd: number
  /** Null where its size is not known. */
  readonly perHourUsd: number | null
  readonly cores: number | undefined
  readonly gib: number | undefined
  /** The price on a list; undefined where base rates stand in. */
  readonly offer: Offer | undefined
}

/** From the caller's own prices or the catalogue, else at base rates. */
export function priceMachine(deps: PricingDeps, market: Market, machine: MachineFacts): MachinePrice {
  const offer = listed(deps, market, machine)
  const cores = offer?.vcpus ?? machine.cores
  const gib = offer?.ramGib ?? machine.gib
  if (offer === undefined || cores === undefined || gib === undefined) return atBaseRates(machine)
  const size = { vcpus: cores, ramGib: gib, gpuCount: offer.gpuCount }
  const rates = splitPrice(offer.pricePerHourUsd, size, factsOf(deps, market, false).ratesOf(offer))
  return { ...rates, perHourUsd: offer.pricePerHourUsd, cores, gib, offer }
}

function listed(deps: PricingDeps, market: Market, machine: MachineFacts): Offer | undefined {
  const { provider, region, instanceType } = machine
  if (provider === '' || region === '' || instanceType === '') return undefined
  try {
    return findCurrent(deps, market, {
      provider,
      region,
      instance_type: instanceType,
      availability_zone: machine.zone,
      operating_system: operatingSystemOf(machine),
      usage_type: parseUsageType(machine.usageType) ?? 'ONDEMAND',
    })
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** What reads /proc is a Linux, whatever name it goes by. */
export const operatingSystemOf = ({ operatingSystem }: MachineFacts) =>
  parseOperatingSystem(operatingSystem) ?? 'Linux'

/** 2 cores and 4 GiB: 2 x 0.031611 + 4 x 0.004237 -> 0.080170. */
function atBaseRates({ cores, gib }: MachineFacts): MachinePrice {
  const known = cores !== undefined && gib !== undefined
  const perHourUsd = known ? cores * baseRates.corePerHourUsd + gib * baseRates.gibPerHourUsd : null
  return { ...baseRates, perHourUsd, cores, gib, offer: undefined }
}
