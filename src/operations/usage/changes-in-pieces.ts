import type { Accumulator } from '../../usage/accumulator.ts'
import { type Changes, takeChanges } from '../../usage/checkpoint.ts'
import type { SubjectUsage } from '../../usage/subject-usage.ts'

/** What changed, so many subjects at a time and at least once. What is told of entities comes with the first. */
export function* changesInPieces(
  accumulator: Accumulator,
  most: number,
): Generator<{ changes: Changes; isLast: boolean }> {
  const changed = [...accumulator.subjects.values()].filter(
    ({ version, committedVersion }) => version !== committedVersion,
  )
  for (let from = 0; from === 0 || from < changed.length; from += most) {
    const changes = takeChanges(only(accumulator, changed.slice(from, from + most)))
    yield { changes, isLast: from + most >= changed.length }
  }
}

/** The accumulator as if it had no other subjects. */
const only = (accumulator: Accumulator, subjects: readonly SubjectUsage[]): Accumulator =>
  Object.create(accumulator, { subjects: { value: new Map(subjects.map((usage) => [usage.key, usage])) } })
