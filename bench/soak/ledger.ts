/** What the service acknowledged, and what it may have done without an acknowledgement. */
export class Ledger {
  /** Entries of a provider by `organisation provider`; several where an answer was missing. */
  readonly providers = new Map<string, readonly number[]>()
  /** Whether a key is good, by key; several where an answer was missing. */
  readonly keys = new Map<string, readonly boolean[]>()
  /** Pushes acknowledged by writer; one more may be kept. */
  readonly pushes = new Map<string, number>()
  /** What must never happen, each told once with how often. */
  readonly violations = new Map<string, number>()
  /** By kind of work, then by outcome. */
  readonly answers = new Map<string, Map<string, number>>()

  violate(what: string): void {
    this.violations.set(what, (this.violations.get(what) ?? 0) + 1)
  }

  /** Counts an answer; anything but a success or a refusal that the documents allow while something is broken is a violation. */
  answered(kind: string, status: number, expected: number): boolean {
    const outcome =
      status === expected ? 'done' : status === 503 ? '503' : status === 0 ? 'no answer' : `${status}`
    const outcomes = this.answers.get(kind) ?? new Map<string, number>()
    this.answers.set(kind, outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1))
    if (![expected, 503, 0].includes(status)) this.violate(`${kind} was answered by ${status}`)
    return status === expected
  }
}

/** Texts that only their organisation may ever read contain it. */
export const markOf = (organisation: string): string => `mark-of-${organisation}`
