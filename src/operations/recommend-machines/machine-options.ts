import { Problem } from '../../domain/problem.ts'
import type { ComparisonOption } from '../compare/comparison.ts'
import { OfferWriter } from '../compare/offer-writer.ts'
import { optionsFor } from '../compare/options.ts'
import type { Market, PricingDeps } from '../pricing/deps.ts'
import { onlyProviderOf } from '../pricing/only-provider.ts'
import { needFor } from '../recommend-offers/recommend-offers.ts'
import type { Amount } from './machine.ts'
import type { ReportedMachine } from './reported-machine.ts'

export interface MachineOptions {
  /** As in POST /v1/comparisons, with the best offer of each effort, and of each term. */
  readonly options: readonly ComparisonOption[]
  /** Why there are no options. */
  readonly notes: readonly string[]
}

export interface WatchedMachine {
  readonly facts: ReportedMachine
  readonly watchedHours: number
  /** The recommended size, which has its headroom already. */
  readonly size: Amount
  readonly meanCores: number
}

/** A machine that works by night looks idle at noon. */
const leastHours = 24
const hasHeadroom = { cpu: 1, ram: 1 }

/** The options of POST /v1/comparisons for a machine that is measured. `today` is YYYY-MM-DD. */
export function machineOptions(
  deps: PricingDeps,
  market: Market,
  { facts, watchedHours, size, meanCores }: WatchedMachine,
  today: string,
): MachineOptions {
  if (watchedHours < leastHours)
    return none(`Measured for ${Math.floor(watchedHours)} of the ${leastHours} hours that options need.`)
  const provider = facts.provider || (onlyProviderOf(deps, market.catalogue, facts)?.key ?? '')
  if (provider === '' || facts.region === '' || facts.instanceType === '')
    return none('Provider, region or instance type is not known, so there is no price to compare with.')
  const usage = { cpu_cores: size.cores, ram_gb: size.gib }
  try {
    const { current, need } = needFor(deps, market, {
      provider,
      region: facts.region,
      availability_zone: facts.zone,
      instance_type: facts.instanceType,
      operating_system: facts.operatingSystem,
      usage_type: facts.usageType,
      vm: { cpu_cores: facts.cores ?? usage.cpu_cores, ram_gb: facts.gib ?? usage.ram_gb },
      usage,
      target_utilisation: hasHeadroom,
      predicates: {},
    })
    const writer = new OfferWriter(deps, market, current, today)
    const sustained = { ...need, sustainedVcpus: meanCores }
    return {
      options: optionsFor(deps, market, current, sustained, writer, { offersPerEffort: 1 }),
      notes: [],
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return none(`${error.message}.`.replace('..', '.'))
  }
}

const none = (note: string): MachineOptions => ({ options: [], notes: [note] })
