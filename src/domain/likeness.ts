/**
 * Kinds that must be equal on both sides: a machine of such a kind is not offered in place of one without, nor the other
 * way. A type's kinds are bits, in this order.
 */
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
  /** Bit k is set where the type is of strictKinds[k]. */
  readonly kinds: number
  /** False for types that have ended, will end or are undocumented: they are found only where a caller names them. */
  readonly isOffered: boolean
  /** CoreMark iterations a second per vCPU, a whole number; 0 where it is not known. */
  readonly speed: number
  /** All local disks together, in whole GiB; 0 where there is none or the size is not known. */
  readonly localDiskGib: number
  /** Position in diskKinds; 0 where there is no local disk or it is not known. */
  readonly localDiskRank: number
}

export const ordinaryTraits: TypeTraits = {
  kinds: 0,
  isOffered: true,
  speed: 0,
  localDiskGib: 0,
  localDiskRank: 0,
}

/** What a candidate must have in common with the current machine. */
export interface Likeness {
  readonly kinds: number
  /** Speed of the current machine; 0 if unknown. */
  readonly speed: number
  /** Whether fewer cores will do where they are faster. */
  readonly countsFasterCores: boolean
  /** The least local disk, and the slowest kind of it; zeros where none is asked for. */
  readonly localDiskGib: number
  readonly localDiskRank: number
}

/** What takes the place of a machine with such traits. A machine paid for its disks keeps at least half of them. */
export function likenessOf(traits: TypeTraits, countsFasterCores: boolean): Likeness {
  const keepsDisk = (traits.kinds & storageBit) !== 0
  return {
    kinds: traits.kinds,
    speed: traits.speed,
    countsFasterCores,
    localDiskGib: keepsDisk ? traits.localDiskGib / 2 : 0,
    localDiskRank: keepsDisk ? traits.localDiskRank : 0,
  }
}

/** Whether a type is of the same kind; its size and speed are another question. */
export function isAlike(like: Likeness, traits: TypeTraits): boolean {
  return (
    traits.isOffered &&
    traits.kinds === like.kinds &&
    traits.localDiskGib >= like.localDiskGib &&
    traits.localDiskRank >= like.localDiskRank
  )
}

/**
 * How many of its cores stand for one of the current machine's: 1.25 where they are a fifth slower. A difference under a
 * tenth counts as none, and so does a speed that is not known; faster cores count as equal unless they are asked to count.
 */
export function coresPerCore({ speed: current, countsFasterCores }: Likeness, speed: number): number {
  if (current === 0 || speed === 0) return 1
  const isSlower = 10 * speed <= 9 * current
  const isFaster = 10 * speed >= 11 * current
  return isSlower || (isFaster && countsFasterCores) ? current / speed : 1
}

export const kindBits = (kinds: readonly string[]): number =>
  strictKinds.reduce((bits, kind, k) => (kinds.includes(kind) ? bits | (1 << k) : bits), 0)

const storageBit = kindBits(['storage-optimised'])
