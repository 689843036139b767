import { placeNow, setParams } from '../app/router.ts'

/** Sliding is not a place to come back to; choosing something is. */
export function change(
  changes: Record<string, string | readonly string[] | undefined>,
  sliding = false,
): void {
  const first = Object.keys(changes).every((name) => !placeNow().params.has(name))
  setParams(changes, sliding && !first ? 'replace' : 'push')
}

export type Change = typeof change
