import type { SpeedBasis, VcpuKind } from '../domain/machine-facts.ts'
import type { KnownSpeed } from './machine-facts.ts'

/** How fast a vCPU is against one of the current machine. */
interface PerformanceRatio {
  readonly ratio: number
  readonly low: number
  readonly high: number
  /** The weaker of both bases. */
  readonly basis: SpeedBasis
}

export interface SpeedOf {
  readonly speed: KnownSpeed
  readonly vcpuKind: VcpuKind | undefined
  /** Share of a vCPU that a burstable one sustains; null where it is none. */
  readonly baseline: number | null
}

/** Undefined where either is not known. A burstable vCPU counts with what it sustains; in bursts it may reach the upper bound. */
export function performanceRatio(current: SpeedOf, candidate: SpeedOf): PerformanceRatio {
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

/** What neighbours leave of a shared vCPU when they are busy: it is one thread of two on a core. */
const neighboursShare = 0.5

/**
 * Nine in ten lie within these: runs of CoreMark scatter by a few percent; the estimates were fitted on 1,449 types that
 * have it; what is borrowed may be of another host.
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
