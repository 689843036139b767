import type { SpeedBasis } from '../../../domain/machine-facts.ts'
import { median } from '../../../domain/quantity.ts'

/** Scores of one type, each for all cores or for one; absent if it was not measured. */
export interface Scores {
  coremarkAll?: number
  geekbenchOne?: number
  passmarkOne?: number
  stressAll?: number
  stressOne?: number
}

export interface MeasuredType {
  readonly provider: string
  readonly instanceType: string
  readonly vcpus: number
  readonly isArm: boolean
  /** Whether its scores depend on credits or on neighbours at the time of measuring. */
  readonly isShared: boolean
  readonly isBurstable: boolean
  /** Types of one family share a processor; '' if the name has none. */
  readonly family: string
  readonly scores: Scores
}

export interface Speed {
  readonly perVcpu: number
  readonly basis: SpeedBasis
}

/** Returns CoreMark iterations per second and vCPU, measured or estimated; undefined if neither is possible. */
export function ownSpeed(type: MeasuredType): Speed | undefined {
  const { scores, vcpus } = type
  if (scores.coremarkAll !== undefined) return { perVcpu: scores.coremarkAll / vcpus, basis: 'coremark' }
  const share = threadShare(type)
  // Fitted on 1,449 types that have CoreMark too: median error 6.9%, and 6.5% by PassMark.
  if (scores.geekbenchOne !== undefined) {
    const perVcpu = Math.exp(5.211 + (type.isArm ? 0.041 : 0)) * scores.geekbenchOne ** 0.673 * share ** 0.522
    return { perVcpu, basis: 'geekbench' }
  }
  if (scores.passmarkOne !== undefined) {
    const perVcpu = Math.exp(2.733 + (type.isArm ? 0.422 : 0)) * scores.passmarkOne ** 0.952 * share ** 0.503
    return { perVcpu, basis: 'passmark' }
  }
  return undefined
}

/** Returns what a vCPU does when all are busy, as a share of what it does alone: half if two share a core. */
function threadShare({ scores, vcpus, isShared }: MeasuredType): number {
  const { stressAll, stressOne } = scores
  if (stressAll !== undefined && stressOne !== undefined && stressOne > 0)
    return Math.min(1, stressAll / (vcpus * stressOne))
  return isShared ? 1 : 0.5
}

/**
 * Returns the speed of every measured type. Single runs vary, so a type within a fifth of its family's median gets the
 * median. A burstable type always gets the median of its family, because its own run may have been out of credits, or no
 * speed if it has no siblings.
 */
export function familySpeeds(types: readonly MeasuredType[]): Map<string, Speed> {
  const measured = types.flatMap((type) => {
    const speed = ownSpeed(type)
    return speed === undefined ? [] : [{ type, speed }]
  })
  const families = Map.groupBy(
    measured.filter(({ type }) => type.family !== ''),
    ({ type, speed }) => familyKey(type, speed.basis),
  )
  const middleOf = (type: MeasuredType, basis: SpeedBasis): number | undefined => {
    const family = families.get(familyKey(type, basis)) ?? []
    return family.length === 0 ? undefined : median(family.map(({ speed }) => speed.perVcpu))
  }
  return new Map(
    measured.flatMap(({ type, speed }) => {
      const key = typeKey(type.provider, type.instanceType)
      if (type.isBurstable) {
        const basis = middleOf(type, 'coremark') === undefined ? speed.basis : 'coremark'
        const isAlone = (families.get(familyKey(type, basis)) ?? []).length < minSiblings
        return isAlone ? [] : [[key, { perVcpu: middleOf(type, basis)!, basis }] as const]
      }
      const middle = middleOf(type, speed.basis) ?? speed.perVcpu
      const isNear = Math.abs(speed.perVcpu - middle) < 0.2 * middle
      return [[key, { perVcpu: isNear ? middle : speed.perVcpu, basis: speed.basis }] as const]
    }),
  )
}

const minSiblings = 2

export const typeKey = (provider: string, instanceType: string): string => `${provider}\n${instanceType}`

const familyKey = ({ provider, family }: MeasuredType, basis: SpeedBasis): string =>
  `${provider}\n${family}\n${basis}`
