import type { Accumulator } from '../usage/digest/accumulator.ts'
import { type CheckpointChanges, collectChanges } from '../usage/digest/checkpoint.ts'

/** The changes in pieces of limited size; at least one piece. */
export function* checkpointPieces(
  accumulator: Accumulator,
  most: number,
): Generator<{ changes: CheckpointChanges; isLast: boolean }> {
  const changed = [...accumulator.subjects.values()].filter(
    ({ version, committedVersion }) => version !== committedVersion,
  )
  for (let from = 0; from === 0 || from < changed.length; from += most) {
    const changes = collectChanges(accumulator, changed.slice(from, from + most))
    yield { changes, isLast: from + most >= changed.length }
  }
}
