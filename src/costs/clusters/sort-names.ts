import type { Yielder } from '../../runtime/yielder.ts'

/**
 * Sorts ascending by UTF-16 code units, as < compares. It sorts runs and then merges them, yielding to other work in
 * between.
 */
export async function sortNames(names: readonly string[], yielder: Yielder): Promise<string[]> {
  let runs: string[][] = []
  for (let from = 0; from < names.length; from += runLength) {
    runs.push(names.slice(from, from + runLength).sort(compare))
    if (yielder.isDue) await yielder.pause()
  }
  while (runs.length > 1) {
    const merged: string[][] = []
    for (let index = 0; index < runs.length; index += 2)
      merged.push(await merge(runs[index]!, runs[index + 1] ?? [], yielder))
    runs = merged
  }
  return runs[0] ?? []
}

async function merge(a: readonly string[], b: readonly string[], yielder: Yielder): Promise<string[]> {
  const merged: string[] = []
  let [left, right] = [0, 0]
  while (left < a.length || right < b.length) {
    const takesLeft = right >= b.length || (left < a.length && a[left]! <= b[right]!)
    merged.push(takesLeft ? a[left++]! : b[right++]!)
    if (merged.length % runLength === 0 && yielder.isDue) await yielder.pause()
  }
  return merged
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const runLength = 2048
