import type { KeyRecord } from '../../domain/key.ts'
import { Problem } from '../../domain/problem.ts'
import type { KeyDeps } from './deps.ts'

/** Holds at once on this node and within five seconds on every other. */
export async function revokeKey(deps: KeyDeps, id: string): Promise<KeyRecord> {
  const record = await deps.store.keys.revoke(id, deps.now())
  if (record === undefined) throw new Problem('not-found', `There is no key ${id}.`)
  deps.onChange(record)
  return record
}
