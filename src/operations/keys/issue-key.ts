import { type KeyRecord, type Scope, scopes } from '../../domain/key.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import { wrongWithText } from '../../domain/text.ts'
import type { KeyDeps } from './deps.ts'
import { hashSecret, newKeyParts } from './secret.ts'

export interface KeyRequest {
  readonly organisation: string
  readonly name: string
  readonly scopes: readonly string[]
  /** Milliseconds since 1970; absent: never. */
  readonly expiresAt?: number
}

/** The only moment at which the whole key is known. */
export interface IssuedKey {
  readonly key: string
  readonly record: KeyRecord
}

export async function issueKey(deps: KeyDeps, wish: KeyRequest): Promise<IssuedKey> {
  const issued = prepareKey(deps.now(), wish)
  await deps.store.keys.insert(issued.record)
  await deps.onChange()
  return issued
}

export const organisationRule = {
  pattern: /^[a-z0-9][a-z0-9-]{0,62}$/,
  message: 'must be 1 to 63 lower-case letters, digits and dashes, and not start with a dash',
} as const

/** Checks a wish and makes the key for it, without keeping it. */
export function prepareKey(now: number, wish: KeyRequest, parts = newKeyParts()): IssuedKey {
  const errors: FieldError[] = []
  if (!organisationRule.pattern.test(wish.organisation)) {
    errors.push({ pointer: '/organisation', message: organisationRule.message })
  }
  const wrongName = wrongWithText(wish.name)
  if (wrongName !== undefined) errors.push({ pointer: '/name', message: wrongName })
  if (wish.name.length < 1 || wish.name.length > 100) {
    errors.push({ pointer: '/name', message: 'must be 1 to 100 characters' })
  }
  const unknown = wish.scopes.filter((scope) => !(scopes as readonly string[]).includes(scope))
  if (wish.scopes.length === 0 || unknown.length > 0) {
    const which = unknown.length > 0 ? ` (unknown: ${unknown.join(', ')})` : ''
    errors.push({ pointer: '/scopes', message: `must be one or more of ${scopes.join(', ')}${which}` })
  }
  if (wish.expiresAt !== undefined && !(wish.expiresAt > now)) {
    errors.push({ pointer: '/expires_at', message: 'must be in the future' })
  }
  if (errors.length > 0) throw new Problem('invalid', 'The key cannot be issued as asked.', { errors })
  return {
    key: `csk_${parts.id}_${parts.secret}`,
    record: {
      id: parts.id,
      organisation: wish.organisation,
      name: wish.name,
      scopes: scopes.filter((scope) => wish.scopes.includes(scope)) as Scope[],
      secretHash: hashSecret(parts.secret),
      createdAt: now,
      expiresAt: wish.expiresAt ?? null,
      revokedAt: null,
      lastUsedAt: null,
      replacedBy: null,
    },
  }
}
