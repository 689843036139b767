import { kindBits } from '../../domain/comparability.ts'
import { type Change, changeNames } from '../../domain/machine-description.ts'
import type { SpeedBasis, VcpuKind } from '../../domain/machine-facts.ts'
import type { Offer } from '../../domain/offer.ts'
import type { KnownSpeed, MachineFacts } from './machine-facts.ts'
import type { Places } from './places.ts'
import type { MachineDescription } from './schema.ts'

/** Families on the Xen hypervisor; Nitro needs drivers for ENA and NVMe (docs.aws.amazon.com/ec2, ec2-nitro-instances). */
const xenType =
  /^(?:t[12]|m[1-4]|c[134]|cc2|cr1|r[34]|x1e?|i[23]|d2|h1|hs1|f1|g2|g3s?|p[23])\.(?!metal)[a-z0-9]+$/i
const ec2Type = /^[a-z0-9-]+\.[a-z0-9-]+$/i

/** Sizes of Azure from version 6 on have only NVMe disks and start only images of generation 2. */
const azureSize = /^Standard_\w+?(?:_v(?<version>\d+))?$/i
const firstNvmeVersion = 6

type PlatformType = Pick<Offer, 'provider' | 'instanceType'>

/** What an operating system must have to start on the other type. The form of the names shows which provider it is. */
function platformChange(from: PlatformType, to: PlatformType): Change | undefined {
  if (from.provider !== to.provider) return undefined
  const [before, after] = [from.instanceType, to.instanceType]
  if (xenType.test(before) && ec2Type.test(after) && !xenType.test(after)) return 'hypervisor'
  return versionOf(before) < firstNvmeVersion && versionOf(after) >= firstNvmeVersion
    ? 'image-generation'
    : undefined
}

/** Whether a type is of an earlier generation of the same series, by their names: i3 after i4i, E4s_v3 after E4s_v5. */
function isOlderSeries(from: PlatformType, to: PlatformType): boolean {
  if (from.provider !== to.provider) return false
  const [before, after] = [seriesOf(from.instanceType), seriesOf(to.instanceType)]
  return before !== undefined && before.letters === after?.letters && after.generation < before.generation
}

/** i4i.large -> i, 4; n2-standard-4 -> n, 2; Standard_E4ds_v5 -> E, 5 */
function seriesOf(instanceType: string): { letters: string; generation: number } | undefined {
  const [, azureLetters] = /^Standard_([A-Z]+)\d/i.exec(instanceType) ?? []
  if (azureLetters !== undefined)
    return { letters: azureLetters.toUpperCase(), generation: versionOf(instanceType) }
  const [, letters, generation] = /^([a-z]+)(\d+)[a-z0-9]*[.-]/.exec(instanceType) ?? []
  return letters === undefined ? undefined : { letters, generation: Number(generation) }
}

/** Standard_D8as_v5 -> 5; 1 if the name has no version, NaN if it is not a size of Azure. */
function versionOf(instanceType: string): number {
  const match = azureSize.exec(instanceType)
  return match === null ? Number.NaN : Number(match.groups?.version ?? 1)
}

export interface MachineAndRegionFacts {
  readonly machines: MachineFacts
  readonly places: Places
}

export function changesBetween(
  { machines, places }: MachineAndRegionFacts,
  from: Offer,
  to: Offer,
): Change[] {
  const found = new Set<Change>([...placeChanges(places, from, to), ...typeChanges(machines, from, to)])
  if (from.usageType !== to.usageType) found.add('payment')
  else if (from.term !== to.term) found.add('term')
  if (from.architecture !== to.architecture && from.architecture && to.architecture) found.add('architecture')
  // Nearly all machines are x86, so an unknown architecture is worth a word only to somebody who runs something else.
  if (from.architecture === 'arm64' && to.architecture === '') found.add('unknown-architecture')
  if ((to.vcpus ?? 0) < (from.vcpus ?? 0)) found.add('fewer-cores')
  if ((to.ramGib ?? 0) < (from.ramGib ?? 0)) found.add('less-memory')
  return changeNames.filter((name) => found.has(name))
}

function* placeChanges(places: Places, from: Offer, to: Offer): Generator<Change> {
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
    // The network of a custom type depends on its size, which is not that of its sibling.
    network: machines.network(provider, instanceType),
    generation: machines.generation(provider, type).generation,
    kinds: machines.kinds(provider, type),
  })) as [Described, Described]
  const speed = speedRatio(machines, from, to)
  if (speed === null) yield 'unknown-speed'
  else if (speed.ratio < noticeablySlower) yield 'slower-cores'
  if (after.vcpus !== before.vcpus) {
    if (after.vcpus === 'shared' || after.vcpus === 'shared-pool') yield 'shared-vcpus'
    if (after.vcpus === 'burstable') yield 'burstable-vcpus'
    if (after.vcpus === 'dedicated-thread-capped') yield 'capped-vcpus'
  }
  if (before.disk > 0 && after.disk === 0) yield 'local-disk-lost'
  else if (after.disk < 0.9 * before.disk) yield 'smaller-local-disk'
  const most = (of: Described): number => of.network?.baselineGbps ?? of.network?.maxGbps ?? 0
  if (most(before) > 0 && most(after) > 0 && most(after) < 0.9 * most(before)) yield 'slower-network'
  const isOlder = after.generation === 'previous' && before.generation !== 'previous'
  if (isOlder || isOlderSeries(from, to)) yield 'previous-generation'
  if (after.generation === 'retiring' || after.generation === 'retired') yield 'ending'
  const [hadLink, hasLink] = [before, after].map(({ kinds }) => kinds.includes('hpc-infiniband'))
  if (hadLink !== hasLink) yield 'interconnect'
  const otherKinds = ({ kinds }: Described): number =>
    kindBits(to.gpuCount > 0 ? kinds.filter((kind) => kind !== 'hpc-infiniband') : kinds)
  if (otherKinds(before) !== otherKinds(after)) yield 'kind'
  for (const mark of ['sap', 'constrained-vcpu', 'no-premium-storage'] as const)
    if (after.kinds.includes(mark) && !before.kinds.includes(mark)) yield mark
  if (before.kinds.includes('sap') && !after.kinds.includes('sap')) yield 'sap-lost'
  if (before.kinds.includes('constrained-vcpu') && (to.vcpus ?? 0) > (from.vcpus ?? 0))
    yield 'constrained-vcpu-lost'
  const platform = platformChange(from, to)
  if (platform !== undefined) yield platform
}

interface Described {
  readonly vcpus: string | undefined
  readonly disk: number
  readonly network: ReturnType<MachineFacts['network']>
  readonly generation: string
  readonly kinds: readonly string[]
}

/** Each with what it sustains; null if a speed is unknown. */
export function speedRatio(
  machines: MachineFacts,
  current: Offer,
  offer: Offer,
): NonNullable<MachineDescription['performance']> | null {
  const [of, to] = [speedOf(machines, current), speedOf(machines, offer)]
  if (of === undefined || to === undefined) return null
  const { ratio, low, high, basis } = performanceRatio(of, to)
  return { ratio: rounded(ratio), low: rounded(low), high: rounded(high), basis }
}

function speedOf(machines: MachineFacts, { provider, instanceType, siblingType, burstableBaseline }: Offer) {
  const type = siblingType ?? instanceType
  const speed = machines.speed(provider, type)
  return speed && { speed, vcpuKind: machines.vcpuKind(provider, type), baseline: burstableBaseline }
}

const rounded = (value: number): number => Math.round(value * 100) / 100

interface SpeedOf {
  readonly speed: KnownSpeed
  readonly vcpuKind: VcpuKind | undefined
  /** Share of a vCPU that a burstable one sustains; null if it is not burstable. */
  readonly baseline: number | null
}

/** A burstable vCPU counts with what it sustains. In bursts it may reach the upper bound. */
function performanceRatio(
  current: SpeedOf,
  candidate: SpeedOf,
): { readonly ratio: number; readonly low: number; readonly high: number; readonly basis: SpeedBasis } {
  const full = candidate.speed.perVcpu / current.speed.perVcpu
  const error = Math.hypot(errorOf[current.speed.basis], errorOf[candidate.speed.basis])
  const sustained = (candidate.baseline ?? 1) / (current.baseline ?? 1)
  const isShared = candidate.vcpuKind === 'shared'
  return {
    ratio: full * sustained,
    low: full * sustained * (1 - error) * (isShared ? neighboursShare : 1),
    high: full * Math.max(sustained, 1) * (1 + error),
    basis: weaker(current.speed.basis, candidate.speed.basis),
  }
}

/** Share of a shared vCPU that is left when the neighbours are busy: it is one of two threads on a core. */
const neighboursShare = 0.5

/**
 * Relative errors that nine of ten speeds do not exceed. Runs of CoreMark differ by a few percent, the estimates were
 * fitted on 1,449 types that have a CoreMark result, and a borrowed speed may be that of another host.
 */
const errorOf: Record<SpeedBasis, number> = {
  coremark: 0.05,
  passmark: 0.16,
  geekbench: 0.18,
  'same-family': 0.1,
  'same-generation': 0.2,
  'same-processor': 0.25,
}

const weaker = (a: SpeedBasis, b: SpeedBasis): SpeedBasis => (errorOf[a] >= errorOf[b] ? a : b)
