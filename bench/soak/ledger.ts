/** Records what the service acknowledged, and what it may have done without an acknowledgement. */
export class Ledger {
  /**
   * Number of entries of a provider, by `organisation provider`; several values are possible if a response was missing.
   */
  readonly providers = new Map<string, readonly number[]>()
  /** Whether a key is valid; both values are possible if a response was missing. */
  readonly keys = new Map<string, readonly boolean[]>()
  /** Number of acknowledged pushes by sender; one more may be stored. */
  readonly pushes = new Map<string, number>()
  /** Number of occurrences of events that must never happen, by description. */
  readonly violations = new Map<string, number>()
  /** Number of responses by kind of work, then by outcome. */
  readonly answers = new Map<string, Map<string, number>>()

  violate(what: string): void {
    this.violations.set(what, (this.violations.get(what) ?? 0) + 1)
  }

  /**
   * Counts a response. Anything except a success, or a refusal that the documentation allows during a fault, is a
   * violation.
   */
  answered(kind: string, status: number, expected: number): boolean {
    const outcome =
      status === expected ? 'done' : status === 503 ? '503' : status === 0 ? 'no answer' : `${status}`
    const outcomes = this.answers.get(kind) ?? new Map<string, number>()
    this.answers.set(kind, outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1))
    if (![expected, 503, 0].includes(status)) this.violate(`${kind} was answered by ${status}`)
    return status === expected
  }
}

/** Returns a mark for texts that only this organisation may read. */
export const markOf = (organisation: string): string => `mark-of-${organisation}`
