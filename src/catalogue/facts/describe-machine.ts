import type { Offer } from '../../domain/offer.ts'
import { changesBetween, type MachineAndRegionFacts, speedRatio } from './changes.ts'
import type { MachineDescription } from './schema.ts'

type Describable = Pick<
  Offer,
  | 'provider'
  | 'region'
  | 'instanceType'
  | 'usageType'
  | 'operatingSystem'
  | 'vcpus'
  | 'gpuCount'
  | 'gpuName'
  | 'siblingType'
>

export function describeMachine(facts: MachineAndRegionFacts, offer: Describable): MachineDescription
export function describeMachine(
  facts: MachineAndRegionFacts,
  offer: Offer,
  current: Offer | undefined,
): MachineDescription
export function describeMachine(
  facts: MachineAndRegionFacts,
  offer: Describable,
  current?: Offer,
): MachineDescription {
  const { machines, places } = facts
  const { provider, region, instanceType: type, siblingType = type } = offer
  const { generation, endsOn } = machines.generation(provider, siblingType)
  const speed = machines.speed(provider, siblingType)
  const disk = machines.disk(provider, type)
  const network = machines.network(provider, type)
  const spot =
    offer.usageType === 'SPOT_PREEMPTIBLE'
      ? machines.spotInterruption(provider, region, offer.operatingSystem, type)
      : undefined
  const grid = places.carbon(provider, region)
  const carbon = grid && carbonOf(grid, machines.power(provider, type), offer.vcpus)
  return {
    accelerator_kind: offer.gpuCount > 0 ? machines.acceleratorKind(offer.gpuName) : null,
    vcpu_kind: machines.vcpuKind(provider, siblingType) ?? null,
    kinds: machines.kinds(provider, type),
    generation,
    ends_on: endsOn || null,
    speed:
      speed === undefined
        ? null
        : {
            coremark_per_vcpu: speed.perVcpu,
            basis: siblingType === type ? speed.basis : 'same-family',
            borrowed_from: siblingType === type ? speed.donor || null : siblingType,
          },
    processor: machines.processor(provider, siblingType) ?? null,
    local_disk: disk === undefined ? null : { gib: disk.gib, kind: disk.kind, is_root: disk.isRoot },
    network:
      network === undefined ? null : { baseline_gbps: network.baselineGbps, max_gbps: network.maxGbps },
    spot_interruption: spot === undefined ? null : { band: spot.label, as_of: spot.day },
    carbon:
      carbon === undefined
        ? null
        : {
            grams_co2e_per_hour: rounded(carbon.gramsPerHour),
            low: rounded(carbon.low),
            high: rounded(carbon.high),
            method: carbon.method,
            grid: carbon.scope,
            grid_year: carbon.year,
          },
    ...(current === undefined
      ? {}
      : {
          changes: changesBetween(facts, current, offer as Offer),
          performance: speedRatio(machines, current, offer as Offer),
        }),
  }
}

const rounded = (value: number): number => Math.round(value * 100) / 100

/** Grams of CO2e that a machine causes in an hour of running. */
interface Carbon {
  readonly gramsPerHour: number
  readonly low: number
  readonly high: number
  readonly method: 'modelled' | 'by-vcpus'
  /** What the grid's figure was measured for: a region, a grid, a country. */
  readonly scope: string
  /** Year of the grid's figure; null if its source does not give one. */
  readonly year: number | null
}

/** Estimates the emissions of operation alone, at half load, without cooling and without those of making the server. */
function carbonOf(
  grid: { readonly gramsPerKwh: number; readonly year: number | null; readonly scope: string },
  power: { idleWatts: number; fullWatts: number } | undefined,
  vcpus: number | null,
): Carbon | undefined {
  if (power === undefined && vcpus === null) return undefined
  const watts = power === undefined ? vcpus! * wattsPerVcpu : (power.idleWatts + power.fullWatts) / 2
  const gramsPerHour = (watts / 1000) * grid.gramsPerKwh
  const error = (power === undefined ? 0.5 : 0.3) + (grid.scope === 'country' ? 0.2 : 0)
  return {
    gramsPerHour,
    low: gramsPerHour * (1 - error),
    high: gramsPerHour * (1 + error),
    method: power === undefined ? 'by-vcpus' : 'modelled',
    scope: grid.scope,
    year: grid.year,
  }
}

/** The median at half load of the 743 types of known size whose power is known. */
const wattsPerVcpu = 3.1
