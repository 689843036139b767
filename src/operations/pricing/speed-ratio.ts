import { shippedKnowledge } from '../../catalogue/load-machine-facts.ts'
import type { MachineDescription } from '../../domain/machine-description.ts'
import type { Offer } from '../../domain/offer.ts'
import { performanceRatio, type SpeedOf } from '../../machines/performance.ts'

/** The vCPU of an offer against that of the current one, both with what they sustain; null where a speed is unknown. */
export function speedRatio(
  current: Offer,
  offer: Offer,
): NonNullable<MachineDescription['performance']> | null {
  const [of, to] = [speedOf(current), speedOf(offer)]
  if (of === undefined || to === undefined) return null
  const { ratio, low, high, basis } = performanceRatio(of, to)
  return { ratio: rounded(ratio), low: rounded(low), high: rounded(high), basis }
}

function speedOf({ provider, instanceType, siblingType, burstableBaseline }: Offer): SpeedOf | undefined {
  const { machines } = shippedKnowledge()
  const type = siblingType ?? instanceType
  const speed = machines.speed(provider, type)
  return speed && { speed, vcpuKind: machines.vcpuKind(provider, type), baseline: burstableBaseline }
}

const rounded = (value: number): number => Math.round(value * 100) / 100
