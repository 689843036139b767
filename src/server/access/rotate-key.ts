import type { KeyRecord } from '../../domain/key.ts'
import { Problem } from '../../domain/problem.ts'
import { daySeconds } from '../../domain/time.ts'
import { type IssuedKey, type KeyDeps, prepareKey } from './issue-key.ts'
import { keyStateOf } from './list-keys.ts'

export const defaultOverlapSeconds = daySeconds
export const maxOverlapSeconds = 90 * daySeconds

/** Replaces a key by a new one. The old key stays valid for the overlap, so that its users can switch. */
export async function rotateKey(
  deps: KeyDeps,
  id: string,
  overlapSeconds: number = defaultOverlapSeconds,
): Promise<IssuedKey & { readonly oldExpiresAt: number }> {
  if (!(Number.isInteger(overlapSeconds) && overlapSeconds >= 0 && overlapSeconds <= maxOverlapSeconds)) {
    throw new Problem('invalid', 'The key cannot be rotated.', {
      errors: [
        { pointer: '/overlap_seconds', message: `must be a whole number from 0 to ${maxOverlapSeconds}` },
      ],
    })
  }
  const now = deps.now()
  const old = (await deps.store.keys.all()).find((key) => key.id === id)
  if (old === undefined) throw new Problem('not-found', `There is no key ${id}.`)
  const state = keyStateOf(old, now)
  if (state !== 'active') {
    throw new Problem(
      'conflict',
      `Key ${id} is ${state === 'rotating' ? 'already replaced' : state}; issue a new one.`,
    )
  }
  const { organisation, name, scopes, expiresAt } = old
  const issued = prepareKey(now, { organisation, name, scopes, ...(expiresAt === null ? {} : { expiresAt }) })
  const wanted = now + overlapSeconds * 1000
  const oldExpiresAt = expiresAt === null ? wanted : Math.min(expiresAt, wanted)
  if (!(await deps.store.keys.rotate(id, issued.record, oldExpiresAt))) {
    throw new Problem('conflict', `Key ${id} was revoked or replaced meanwhile.`)
  }
  deps.onChange(issued.record, { ...old, expiresAt: oldExpiresAt, replacedBy: issued.record.id })
  return { ...issued, oldExpiresAt }
}

/** Takes effect at once on this node and within five seconds on every other. */
export async function revokeKey(deps: KeyDeps, id: string): Promise<KeyRecord> {
  const record = await deps.store.keys.revoke(id, deps.now())
  if (record === undefined) throw new Problem('not-found', `There is no key ${id}.`)
  deps.onChange(record)
  return record
}
