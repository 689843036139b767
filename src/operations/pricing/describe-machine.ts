import { shippedKnowledge } from '../../catalogue/load-machine-facts.ts'
import type { MachineDescription } from '../../domain/machine-description.ts'
import type { Offer } from '../../domain/offer.ts'
import { carbonOf } from '../../machines/carbon.ts'
import { changesBetween, speedRatio } from './changes.ts'

/** What a description is made of; an offer has all of it, a type without a place some. */
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

export function describeMachine(offer: Describable): MachineDescription
export function describeMachine(offer: Offer, current: Offer | undefined): MachineDescription
export function describeMachine(offer: Describable, current?: Offer): MachineDescription {
  const { machines, places } = shippedKnowledge()
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
      network === undefined ? null : { baseline_gbps: network.baselineGbps, max_gbps: network.mostGbps },
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
          changes: changesBetween(current, offer as Offer),
          performance: speedRatio(current, offer as Offer),
        }),
  }
}

const rounded = (value: number): number => Math.round(value * 100) / 100
