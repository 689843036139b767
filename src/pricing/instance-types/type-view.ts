import type { TypeFacts } from '../catalogue/search/type-facts.ts'
import { shippedFacts } from '../catalogue/shipped-facts.ts'
import type { MachineDescription } from '../domain/machine-description.ts'
import { round, roundHourly } from '../domain/money.ts'
import { describeMachine } from '../machines/describe-machine.ts'
import type { PricingDeps } from './market.ts'

/** An instance type as shown in lists. Prices are the lowest on-demand prices of the requested regions. */
export interface InstanceTypeView {
  readonly provider_key: string
  readonly provider: string
  readonly instance_type: string
  readonly cpu_cores: number | null
  readonly ram_gb: number | null
  readonly architecture: string | null
  readonly gpu: { readonly count: number; readonly name: string } | null
  readonly regions: readonly string[]
  readonly operating_systems: readonly string[]
  readonly usage_types: readonly string[]
  readonly cost_per_hour_from: number | null
  readonly cost_per_month_from: number | null
  /** The day of that price, YYYY-MM-DD. */
  readonly price_day: string | null
  /** Share of each vCPU that a burstable type sustains; null if the type is not burstable. */
  readonly burstable_baseline: number | null
  /** US dollars per hour for a sustained speed of a thousand CoreMark iterations per second. */
  readonly cost_per_1000_coremark: number | null
  readonly machine: MachineDescription
}

export function typeView({ providers }: Pick<PricingDeps, 'providers'>, facts: TypeFacts): InstanceTypeView {
  const {
    provider,
    instanceType,
    vcpus,
    gpuCount,
    gpuName,
    minPerHourUsd,
    minPerMonthUsd,
    burstableBaseline,
  } = facts
  const machine = describeMachine(shippedFacts(), {
    provider,
    instanceType,
    vcpus,
    gpuCount,
    gpuName,
    region: '',
    usageType: 'ONDEMAND',
    operatingSystem: 'Linux',
  })
  const coremark =
    vcpus === null || machine.speed === null
      ? null
      : vcpus * (burstableBaseline ?? 1) * machine.speed.coremark_per_vcpu
  return {
    provider_key: provider,
    provider: providers.find(({ key }) => key === provider)?.displayName ?? provider,
    instance_type: instanceType,
    cpu_cores: vcpus,
    ram_gb: facts.ramGib,
    architecture: facts.architecture || null,
    gpu: gpuCount > 0 ? { count: gpuCount, name: gpuName } : null,
    regions: facts.regions,
    operating_systems: facts.operatingSystems,
    usage_types: facts.usageTypes,
    cost_per_hour_from: minPerHourUsd === null ? null : roundHourly(minPerHourUsd),
    cost_per_month_from: minPerMonthUsd === null ? null : round(minPerMonthUsd, 3),
    price_day: facts.minDay || null,
    burstable_baseline: burstableBaseline,
    cost_per_1000_coremark:
      coremark === null || minPerHourUsd === null ? null : roundHourly((1000 * minPerHourUsd) / coremark),
    machine,
  }
}
