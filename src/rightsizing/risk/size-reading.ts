import { type PublicPolicy, publicPolicyList, publicPolicyNamed } from '../estimators/public-policies.ts'
import type { Resource } from '../input.ts'
import type { ReplicaEvidence, SizingEvidence } from '../sizing-evidence.ts'
import type { SizingPreference } from '../workload.ts'
import { interpolateLevels, type RiskPosition, riskPositionOf, shiftLevels } from './decide.ts'
import { highestRequest } from './resource-forecast.ts'

/** Reads sizes of one resource from evidence, at a preference. */
export class SizeReading {
  readonly preference: SizingPreference
  readonly #resource: Resource
  readonly #position: RiskPosition
  /** Position of the preferred public policy in the list of all; -1 if none is preferred. */
  readonly #policy: number
  readonly #hasPreferred: boolean

  constructor(resource: Resource, evidence: SizingEvidence, preference: SizingPreference) {
    this.preference = preference
    this.#resource = resource
    this.#position = riskPositionOf(resource, preference, evidence.risks)
    const policy = publicPolicyOf(preference)
    this.#policy = policy === undefined ? -1 : publicPolicyList.indexOf(policy)
    this.#hasPreferred = this.#position.depth !== undefined && isSameRisk(evidence.preferred, preference)
  }

  preferredSize(replica: ReplicaEvidence): number {
    return replica.policies[this.#policy] ?? this.sizeAt(replica, 0)
  }

  /**
   * The size at a risk this many levels stricter than the preferred one, at most two. A shortfall for which the evidence
   * has no sizes does not count, and the time above the request alone decides.
   */
  sizeAt(replica: ReplicaEvidence, levels: number): number {
    if (this.#hasPreferred && replica.preferred !== undefined)
      return replica.preferred[preferredShifts.indexOf(levels)]!
    const { time } = shiftLevels(levels, this.#position)
    return Math.min(highestRequest(this.#resource, replica.peakEver), interpolateLevels(replica.levels, time))
  }
}

/** The sizes of a preference with a shortfall are computed for these numbers of levels stricter. */
export const preferredShifts: readonly number[] = [-2, -1, 0, 1, 2]

export const publicPolicyOf = ({ policy }: SizingPreference): PublicPolicy | undefined =>
  policy === undefined || policy === 'cheapside' ? undefined : publicPolicyNamed(policy)

const isSameRisk = (known: SizingPreference | undefined, asked: SizingPreference): boolean =>
  known !== undefined &&
  known.risk === asked.risk &&
  known.shortfall === asked.shortfall &&
  known.profile === asked.profile
