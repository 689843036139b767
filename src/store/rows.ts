import type { KeyRecord, Scope, SessionRecord } from '../domain/key.ts'
import type { UsageType } from '../domain/offer.ts'
import type { PriceChanges, PublishedCatalogue } from './port-prices.ts'
import type { StoredRecommendation } from './port-recommendations.ts'
import { checkText, checkTime } from './storable.ts'

/** A row of the table api_keys, as both databases return it. */
export interface KeyRow {
  readonly id: string
  readonly organisation: string
  readonly name: string
  /** Separated by spaces. */
  readonly scopes: string
  readonly secret_hash: string
  readonly created_at: number
  readonly expires_at: number | null
  readonly revoked_at: number | null
  readonly last_used_at: number | null
  readonly replaced_by: string | null
}

export const keyColumns =
  'id, organisation, name, scopes, secret_hash, created_at, expires_at, revoked_at, last_used_at, replaced_by'

export function keyFromRow(row: KeyRow): KeyRecord {
  return {
    id: row.id,
    organisation: row.organisation,
    name: row.name,
    scopes: row.scopes === '' ? [] : (row.scopes.split(' ') as Scope[]),
    secretHash: row.secret_hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    replacedBy: row.replaced_by,
  }
}

/** Returns the values in the order of keyColumns. */
export function keyValues(key: KeyRecord): (string | number | null)[] {
  return [
    key.id,
    key.organisation,
    key.name,
    key.scopes.join(' '),
    key.secretHash,
    key.createdAt,
    key.expiresAt,
    key.revokedAt,
    key.lastUsedAt,
    key.replacedBy,
  ]
}

/** A row of the table sessions, as both databases return it. */
export interface SessionRow {
  readonly token_hash: string
  readonly key_id: string
  readonly created_at: number
  readonly expires_at: number
}

export const sessionColumns = 'token_hash, key_id, created_at, expires_at'

export function sessionFromRow(row: SessionRow): SessionRecord {
  return {
    tokenHash: row.token_hash,
    keyId: row.key_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

/** Returns the values in the order of sessionColumns. */
export function sessionValues(session: SessionRecord): (string | number)[] {
  return [session.tokenHash, session.keyId, session.createdAt, session.expiresAt]
}

/** A row of the table recommendations, as both databases return it. */
export interface RecommendationRow {
  readonly id: string
  readonly version: number
  readonly decided: number
  readonly advised_at: number
  readonly json: string
}

export const recommendationColumns = 'id, version, decided, advised_at, json'

export const recommendationFromRow = (row: RecommendationRow): StoredRecommendation => ({
  id: row.id,
  version: Number(row.version),
  decided: Number(row.decided) === 1,
  advisedAt: Number(row.advised_at),
  json: row.json,
})

/** Undecided recommendations come before decided ones; within both, those advised longest ago come first. */
export const removalOrder = 'decided, advised_at, id'

export function checkRecommendation({ id, version, advisedAt, json }: StoredRecommendation): void {
  checkText(id)
  checkText(json)
  checkTime(version)
  checkTime(advisedAt)
}

/** A row of the table price_changes, as both databases return it. */
export interface ChangeRow {
  readonly provider: string
  readonly instance_type: string
  readonly usage_type: string
  readonly at: number
  readonly packed: Uint8Array
}

export const changeColumns = 'provider, instance_type, usage_type, at, packed'

export function changesFromRow(row: ChangeRow): PriceChanges {
  return {
    provider: row.provider,
    instanceType: row.instance_type,
    usageType: row.usage_type as UsageType,
    at: row.at,
    packed: plainBytes(row.packed),
  }
}

/** Copies bytes into a plain Uint8Array, because each driver has its own type for them. */
export const plainBytes = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes)

export function checkPublication(catalogue: PublishedCatalogue, changes: readonly PriceChanges[]): void {
  checkText(catalogue.id)
  checkTime(catalogue.publishedAt)
  for (const change of changes) {
    checkText(change.provider)
    checkText(change.instanceType)
    checkTime(change.at)
  }
}
