import { describeMachine } from '../../catalogue/facts/describe-machine.ts'
import { leastPerHourUsd, type TypeFacts } from '../../catalogue/search/type-facts.ts'
import { shippedFacts } from '../../catalogue/shipped-facts.ts'
import { round, roundHourly } from '../../domain/money.ts'
import type { PricingDeps } from '../market.ts'
import type { InstanceTypeView } from './schema.ts'

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
    cost_per_hour_from: hourlyOrNull(minPerHourUsd),
    cost_per_month_from: minPerMonthUsd === null ? null : round(minPerMonthUsd, 3),
    price_day: facts.minDay || null,
    cost_per_hour_reserved_1y: hourlyOrNull(leastPerHourUsd(facts, 'RESERVED', '1y')),
    cost_per_hour_reserved_3y: hourlyOrNull(leastPerHourUsd(facts, 'RESERVED', '3y')),
    cost_per_hour_spot: hourlyOrNull(leastPerHourUsd(facts, 'SPOT_PREEMPTIBLE')),
    burstable_baseline: burstableBaseline,
    cost_per_1000_coremark:
      coremark === null || minPerHourUsd === null ? null : roundHourly((1000 * minPerHourUsd) / coremark),
    machine,
  }
}

const hourlyOrNull = (usd: number | null): number | null => (usd === null ? null : roundHourly(usd))
