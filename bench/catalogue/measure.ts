/**
 * Returns how long each question takes, in microseconds, ascending. Each value is the median over the rounds, which
 * excludes other activity on the machine. A round asks all questions in turn, so that none finds its own data in the
 * CPU caches.
 */
export async function timesUs<Q>(
  questions: readonly Q[],
  rounds: number,
  ask: (question: Q) => unknown,
): Promise<number[]> {
  const times: number[][] = questions.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (let q = 0; q < questions.length; q++) {
      const started = performance.now()
      const answer = ask(questions[q]!)
      if (answer instanceof Promise) await answer
      times[q]!.push((performance.now() - started) * 1000)
    }
  return ascending(times.map((of) => ascending(of)[(of.length - 1) >> 1]!))
}

const ascending = (times: number[]): number[] => times.sort((a, b) => a - b)

export const percentile = (sorted: readonly number[], p: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor((p / 100) * sorted.length))]!

/**
 * Returns what a value occupies, inside and outside of the JavaScript heap. Buffers are released only by a second
 * collection.
 */
export function bytesHeld<T>(make: () => T, collectOnce: () => void): { made: T; bytes: number } {
  const collect = () => {
    for (let times = 0; times < 4; times++) collectOnce()
  }
  collect()
  const before = process.memoryUsage()
  const made = make()
  collect()
  const after = process.memoryUsage()
  return { made, bytes: after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers }
}
