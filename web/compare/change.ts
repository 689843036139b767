import { placeNow, setParams } from '../state/router.ts'

/** Moving a slider does not add to the browser history; a choice does. */
export function change(
  changes: Record<string, string | readonly string[] | undefined>,
  sliding = false,
): void {
  const first = Object.keys(changes).every((name) => !placeNow().params.has(name))
  setParams(changes, sliding && !first ? 'replace' : 'push')
}

export type Change = typeof change
