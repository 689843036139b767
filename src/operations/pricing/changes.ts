import { shippedKnowledge } from '../../catalogue/load-machine-facts.ts'
import { kindBits } from '../../domain/likeness.ts'
import type { MachineDescription } from '../../domain/machine-description.ts'
import type { Offer } from '../../domain/offer.ts'
import type { MachineFacts } from '../../machines/machine-facts.ts'
import { performanceRatio, type SpeedOf } from '../../machines/performance.ts'

/** What somebody has to know who moves from one machine to another; in the order in which it matters. */
export const changeNames = [
  'provider',
  'region',
  'country',
  'partition',
  'payment',
  'term',
  'architecture',
  'fewer-cores',
  'less-memory',
  'slower-cores',
  'unknown-speed',
  'shared-vcpus',
  'burstable-vcpus',
  'capped-vcpus',
  'local-disk-lost',
  'smaller-local-disk',
  'slower-network',
  'previous-generation',
  'ending',
  'kind',
  'sap',
  'constrained-vcpu',
  'no-premium-storage',
] as const
export type Change = (typeof changeNames)[number]

export function changesBetween(from: Offer, to: Offer): Change[] {
  const { machines } = shippedKnowledge()
  const found = new Set<Change>([...placeChanges(from, to), ...typeChanges(machines, from, to)])
  if (from.usageType !== to.usageType) found.add('payment')
  else if (from.term !== to.term) found.add('term')
  if (from.architecture !== to.architecture && from.architecture && to.architecture) found.add('architecture')
  if ((to.vcpus ?? 0) < (from.vcpus ?? 0)) found.add('fewer-cores')
  if ((to.ramGib ?? 0) < (from.ramGib ?? 0)) found.add('less-memory')
  return changeNames.filter((name) => found.has(name))
}

function* placeChanges(from: Offer, to: Offer): Generator<Change> {
  const { places } = shippedKnowledge()
  const [here, there] = [places.find(from.provider, from.region), places.find(to.provider, to.region)]
  if (from.provider !== to.provider) yield 'provider'
  else if (from.region !== to.region) yield 'region'
  if (here && there && here.country !== there.country) yield 'country'
  if (here && there && here.partition !== there.partition) yield 'partition'
}

const noticeablySlower = 0.95

function* typeChanges(machines: MachineFacts, from: Offer, to: Offer): Generator<Change> {
  if (from.provider === to.provider && from.instanceType === to.instanceType) return
  const [before, after] = [from, to].map(({ provider, instanceType, siblingType: type = instanceType }) => ({
    vcpus: machines.vcpuKind(provider, type),
    disk: machines.disk(provider, type)?.gib ?? 0,
    network: machines.network(provider, type),
    generation: machines.generation(provider, type).generation,
    kinds: machines.kinds(provider, type),
  })) as [Described, Described]
  const speed = speedRatio(from, to)
  if (speed === null) yield 'unknown-speed'
  else if (speed.ratio < noticeablySlower) yield 'slower-cores'
  if (after.vcpus !== before.vcpus) {
    if (after.vcpus === 'shared' || after.vcpus === 'shared-pool') yield 'shared-vcpus'
    if (after.vcpus === 'burstable') yield 'burstable-vcpus'
    if (after.vcpus === 'dedicated-thread-capped') yield 'capped-vcpus'
  }
  if (before.disk > 0 && after.disk === 0) yield 'local-disk-lost'
  else if (after.disk < 0.9 * before.disk) yield 'smaller-local-disk'
  const most = (of: Described): number => of.network?.baselineGbps ?? of.network?.mostGbps ?? 0
  if (most(before) > 0 && most(after) > 0 && most(after) < 0.9 * most(before)) yield 'slower-network'
  if (after.generation === 'previous' && before.generation !== 'previous') yield 'previous-generation'
  if (after.generation === 'retiring' || after.generation === 'retired') yield 'ending'
  if (kindBits(before.kinds) !== kindBits(after.kinds)) yield 'kind'
  for (const mark of ['sap', 'constrained-vcpu', 'no-premium-storage'] as const)
    if (after.kinds.includes(mark) && !before.kinds.includes(mark)) yield mark
}

interface Described {
  readonly vcpus: string | undefined
  readonly disk: number
  readonly network: ReturnType<MachineFacts['network']>
  readonly generation: string
  readonly kinds: readonly string[]
}

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
