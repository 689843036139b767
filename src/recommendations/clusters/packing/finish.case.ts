/** Runs the work without pauses and returns its result. */
export function finish<Result>(work: Generator<undefined, Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value as Result
  }
}
