/** A machine of such a kind never replaces one of another kind. The kinds of a type are stored as bits, in this order. */
export const strictKinds = [
  'bare-metal',
  'confidential',
  'hpc-infiniband',
  'isolated',
  'mac',
  'video',
  'dedicated-host-only',
  'high-memory-bare',
  'storage-optimised',
] as const

/** A later kind of disk is at least as fast as an earlier one. */
export const diskKinds = ['', 'hdd', 'ssd', 'nvme'] as const
export type DiskKind = (typeof diskKinds)[number]

/** Properties other than size and price that decide whether a type can replace another. */
export interface TypeTraits {
  /** Bit k is set if the type is of strictKinds[k]. */
  readonly kinds: number
  /** Whether its vCPUs are shared without credits, so that half of them can be counted on. */
  readonly isShared: boolean
  /** False for types that have ended, will end or are undocumented. They are found only if a caller names them. */
  readonly isOffered: boolean
  /** CoreMark iterations per second and vCPU, a whole number; 0 if unknown. */
  readonly speed: number
  /** Size of all local disks together, in whole GiB; 0 if there is none or the size is unknown. */
  readonly localDiskGib: number
  /** Position in diskKinds; 0 if there is no local disk or its kind is unknown. */
  readonly localDiskRank: number
}

export const ordinaryTraits: TypeTraits = {
  kinds: 0,
  isShared: false,
  isOffered: true,
  speed: 0,
  localDiskGib: 0,
  localDiskRank: 0,
}

/** What a candidate must have in common with the current machine. */
export interface Comparability {
  readonly kinds: number
  /** Kinds that may differ. */
  readonly ignoredKinds: number
  /** Speed of the current machine; 0 if unknown. */
  readonly speed: number
  /** Whether fewer cores are enough if they are faster. */
  readonly countsFasterCores: boolean
  /** The smallest local disk and the slowest kind of disk that are enough; both are 0 if no local disk is needed. */
  readonly localDiskGib: number
  readonly localDiskRank: number
}

interface ComparisonRules {
  readonly countsFasterCores?: boolean
  /** Machines with the same accelerators can replace each other with and without InfiniBand or a server of their own. */
  readonly isAccelerated?: boolean
  readonly needsInfiniband?: boolean
}

/** For a storage-optimised machine, at least half of its local disk, of a kind that is at least as fast. */
export function comparabilityOf(
  traits: TypeTraits,
  { countsFasterCores = false, isAccelerated = false, needsInfiniband = false }: ComparisonRules = {},
): Comparability {
  const keepsDisk = (traits.kinds & storageBit) !== 0
  const kinds = needsInfiniband ? traits.kinds | infinibandBit : traits.kinds
  return {
    kinds,
    ignoredKinds: isAccelerated ? acceleratorBits & ~(needsInfiniband ? infinibandBit : 0) : 0,
    speed: traits.speed,
    countsFasterCores,
    localDiskGib: keepsDisk ? traits.localDiskGib / 2 : 0,
    localDiskRank: keepsDisk ? traits.localDiskRank : 0,
  }
}

export const isOfKind = ({ kinds, ignoredKinds }: Comparability, other: number): boolean =>
  ((other ^ kinds) & ~ignoredKinds) === 0

/** Whether a type is offered, has the same kinds and has enough local disk. Its size and speed are checked elsewhere. */
export function isComparable(comparableTo: Comparability, traits: TypeTraits): boolean {
  return (
    traits.isOffered &&
    isOfKind(comparableTo, traits.kinds) &&
    traits.localDiskGib >= comparableTo.localDiskGib &&
    traits.localDiskRank >= comparableTo.localDiskRank
  )
}

/**
 * Returns how many cores of a candidate replace one core of the current machine: 1.25 if they are a fifth slower. Returns
 * 1 if the speeds differ by less than a tenth or one is unknown, and for faster cores unless countsFasterCores is set.
 */
export function coresPerCore({ speed: current, countsFasterCores }: Comparability, speed: number): number {
  if (current === 0 || speed === 0) return 1
  const isSlower = 10 * speed <= 9 * current
  const isFaster = 10 * speed >= 11 * current
  return isSlower || (isFaster && countsFasterCores) ? current / speed : 1
}

export const kindBits = (kinds: readonly string[]): number =>
  strictKinds.reduce((bits, kind, k) => (kinds.includes(kind) ? bits | (1 << k) : bits), 0)

/** Share of shared vCPUs that can be counted on. */
export const sharedShare = 0.5

const storageBit = kindBits(['storage-optimised'])
const infinibandBit = kindBits(['hpc-infiniband'])
const acceleratorBits = kindBits(['hpc-infiniband', 'isolated'])
