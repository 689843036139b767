import { hash, randomBytes } from 'node:crypto'
import {
  defaultOrganisation,
  type KeyRecord,
  keyPattern,
  keyPrefix,
  organisationRule,
  type Scope,
  scopes,
} from '../../domain/key.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import { wrongWithText } from '../../domain/text.ts'
import type { Clock } from '../../domain/time.ts'
import type { Store } from '../../store/port.ts'

interface KeyRequest {
  readonly organisation: string
  readonly name: string
  readonly scopes: readonly string[]
  /** Milliseconds since 1970. A key without it never expires. */
  readonly expiresAt?: number
}

/** A new key with its secret. The secret is not stored, so it can be shown only now. */
export interface IssuedKey {
  readonly key: string
  readonly record: KeyRecord
}

export async function issueKey(deps: KeyDeps, request: KeyRequest): Promise<IssuedKey> {
  const issued = prepareKey(deps.now(), request)
  await deps.store.keys.insert(issued.record)
  deps.onChange(issued.record)
  return issued
}

export function prepareKey(now: number, request: KeyRequest, parts = newKeyParts()): IssuedKey {
  const errors: FieldError[] = []
  if (!organisationRule.pattern.test(request.organisation)) {
    errors.push({ pointer: '/organisation', message: organisationRule.message })
  }
  const wrongName = wrongWithText(request.name)
  if (wrongName !== undefined) errors.push({ pointer: '/name', message: wrongName })
  if (request.name.trim() === '' || request.name.length > 100) {
    errors.push({ pointer: '/name', message: 'must be 1 to 100 characters, not all of them blank' })
  }
  const unknown = request.scopes.filter((scope) => !(scopes as readonly string[]).includes(scope))
  if (request.scopes.length === 0 || unknown.length > 0) {
    const which = unknown.length > 0 ? ` (unknown: ${unknown.join(', ')})` : ''
    errors.push({ pointer: '/scopes', message: `must be one or more of ${scopes.join(', ')}${which}` })
  }
  if (request.expiresAt !== undefined && !(request.expiresAt > now)) {
    errors.push({ pointer: '/expires_at', message: 'must be in the future' })
  }
  if (errors.length > 0) throw new Problem('invalid', 'The key cannot be issued.', { errors })
  return {
    key: `${keyPrefix}${parts.id}_${parts.secret}`,
    record: {
      id: parts.id,
      organisation: request.organisation,
      name: request.name,
      scopes: scopes.filter((scope) => request.scopes.includes(scope)) as Scope[],
      secretHash: hashSecret(parts.secret),
      createdAt: now,
      expiresAt: request.expiresAt ?? null,
      revokedAt: null,
      lastUsedAt: null,
      replacedBy: null,
    },
  }
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Generates the parts of a new key. The secret has 40 x log2(62) = 238 random bits. */
function newKeyParts(): { id: string; secret: string } {
  return { id: randomText(12), secret: randomText(40) }
}

function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      // 248 = 4 x 62: using larger bytes would make some characters more likely than others.
      if (byte < 248 && text.length < length) text += alphabet[byte % 62]
    }
  }
  return text
}

export interface KeyDeps {
  readonly store: Pick<Store, 'keys'>
  readonly now: Clock
  /** Makes this node use what was just written, even while the database cannot be read. */
  onChange(...changed: KeyRecord[]): void
}

/** Creates the very first key on whichever node comes first; returned if this call made it, unless the operator gave it. */
export async function bootstrapKey(deps: KeyDeps, given: string): Promise<string | undefined> {
  const match = keyPattern.exec(given)
  const issued = prepareKey(
    deps.now(),
    { organisation: defaultOrganisation, name: 'first key', scopes },
    match === null ? undefined : { id: match[1]!, secret: match[2]! },
  )
  const inserted = await deps.store.keys.insertFirst(issued.record)
  if (inserted) deps.onChange(issued.record)
  return inserted && match === null ? issued.key : undefined
}
