import { Problem } from '../domain/problem.ts'
import type { Amount } from '../machine-usage/machine.ts'
import { type ComparisonOption, machineName } from '../market/comparison/comparison.ts'
import { OfferWriter } from '../market/comparison/offer-writer.ts'
import { optionsFor } from '../market/comparison/options.ts'
import type { Market, PricingDeps } from '../market/market.ts'
import { needFor } from '../market/need.ts'
import { onlyProviderOf } from '../market/price-node.ts'
import type { ReportedMachine } from '../market/reported-machine.ts'

export interface MachineOptions {
  /** As in POST /v1/comparisons, with the best offer of each effort and of each term. */
  readonly options: readonly ComparisonOption[]
  /** Why there are no options; empty if there may be some. */
  readonly reasons: readonly string[]
}

const hasHeadroom = { cpu: 1, ram: 1 }

/**
 * Returns the options of POST /v1/comparisons for a recommended size, which already includes headroom. `today` is
 * YYYY-MM-DD.
 */
export function machineOptions(
  deps: PricingDeps,
  market: Market,
  facts: ReportedMachine,
  size: Amount,
  meanCores: number,
  today: string,
): MachineOptions {
  const provider = facts.provider || (onlyProviderOf(deps, market.catalogue, facts)?.key ?? '')
  if (provider === '' || facts.region === '' || facts.instanceType === '')
    return none('Provider, region or instance type is not known, so there is no price to compare with.')
  const usage = { cpu_cores: size.cores, ram_gb: size.gib }
  try {
    const { current, need } = needFor(deps, market, {
      ...machineName(provider, facts),
      vm: { cpu_cores: facts.cores ?? usage.cpu_cores, ram_gb: facts.gib ?? usage.ram_gb },
      usage,
      target_utilisation: hasHeadroom,
      predicates: {},
    })
    const writer = new OfferWriter(deps, market, current, today)
    const sustained = { ...need, sustainedVcpus: meanCores }
    return {
      options: optionsFor(deps, market, current, sustained, writer, { offersPerEffort: 1 }),
      reasons: [],
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return none(`${error.message}.`.replace('..', '.'))
  }
}

const none = (reason: string): MachineOptions => ({ options: [], reasons: [reason] })
