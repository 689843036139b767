import type { Amount } from '../../decisions/processes/size-process.ts'
import { NotFound } from '../../domain/not-found.ts'
import type { CommittedMachine } from '../../pricing/compare/committed-first.ts'
import { machineName } from '../../pricing/compare/comparison.ts'
import { OfferWriter } from '../../pricing/compare/offer-writer.ts'
import { optionsFor } from '../../pricing/compare/options.ts'
import type { ComparisonOption } from '../../pricing/compare/schema.ts'
import type { Market, PricingDeps } from '../../pricing/market.ts'
import { onlyProviderOf } from '../../pricing/price-node.ts'
import type { ReportedMachine } from '../../pricing/reported-machine.ts'
import { needFor } from '../../pricing/request/need.ts'

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
  today: string,
  committed?: CommittedMachine,
): MachineOptions {
  const provider = facts.provider || (onlyProviderOf(deps, market.catalogue, facts)?.key ?? '')
  if (provider === '' || facts.region === '' || facts.instanceType === '')
    return none('Provider, region or instance type is not known, so there is no price to compare with.')
  const usage = { cpu_cores: size.cores, ram_gb: size.gib }
  const asked = needFor(deps, market, {
    ...machineName(provider, facts),
    vm: { cpu_cores: facts.cores ?? usage.cpu_cores, ram_gb: facts.gib ?? usage.ram_gb },
    usage,
    target_utilisation: hasHeadroom,
    predicates: {},
  })
  if (asked instanceof NotFound) return none(`${asked.reason}.`.replace('..', '.'))
  const { current, need } = asked
  const writer = new OfferWriter(deps, market, current, today)
  return {
    options: optionsFor(deps, market, current, need, writer, { offersPerEffort: 1, committed }),
    reasons: [],
  }
}

const none = (reason: string): MachineOptions => ({ options: [], reasons: [reason] })
