import type { SizingEvidence } from '../rightsizing/sizing-evidence.ts'
import type { RequestsAndLimits } from '../rightsizing/workload.ts'

/** What is stored of a decision. Sizes are read from the evidence at the preference, rules and prices of the reader. */
export interface SizeDecision {
  /** Days since 1970. */
  readonly day: number
  readonly evidence: SizingEvidence
  /** Milliseconds since 1970. */
  readonly decidedAt: number
  /** It was decided when somebody asked, with the model of that time, and not when the day was over. */
  readonly late: boolean
  readonly current: RequestsAndLimits
  /** Mean number of replicas that ran at a time. */
  readonly replicas: number
}

/** Days of usage before a decision that it is made from. */
export const lookbackDays = 30

/** Days before a day in which a decision may still be in force. */
export const inForceDays = lookbackDays + 1
