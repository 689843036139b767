/** How long each call took, in microseconds: `rounds` times over all questions, one at a time. */
export async function timesUs<Q>(
  questions: readonly Q[],
  rounds: number,
  ask: (question: Q) => unknown,
): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++)
    for (const question of questions) {
      const started = performance.now()
      const answer = ask(question)
      if (answer instanceof Promise) await answer
      times.push((performance.now() - started) * 1000)
    }
  return times.sort((a, b) => a - b)
}

export const percentile = (sorted: readonly number[], p: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor((p / 100) * sorted.length))]!

/** What something occupies, in and outside of the JavaScript heap. */
export function bytesHeld<T>(make: () => T, collect: () => void): { made: T; bytes: number } {
  collect()
  const before = process.memoryUsage()
  const made = make()
  collect()
  const after = process.memoryUsage()
  return { made, bytes: after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers }
}
