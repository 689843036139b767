export const scopes = [
  'pricing:read',
  'marketplace:write',
  'gateway:read',
  'gateway:write',
  'usage:write',
  'admin',
] as const
export type Scope = (typeof scopes)[number]

/** A key as it is stored. The secret itself is known only to its holder. Times are milliseconds since 1970. */
export interface KeyRecord {
  readonly id: string
  readonly organisation: string
  readonly name: string
  readonly scopes: readonly Scope[]
  /** SHA-256 of the secret, hex. */
  readonly secretHash: string
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
  /** Id of the key that replaced this one in a rotation. */
  readonly replacedBy: string | null
}

export const keyPrefix = 'csk_'

/** csk_<id>_<secret>. The secret has at least 190 random bits, so a plain hash of it is safe to store. */
export const keyPattern = /^csk_([0-9A-Za-z]{12})_([0-9A-Za-z]{32,64})$/

/** The organisation of the very first key. It is also meant if no organisation is named. */
export const defaultOrganisation = 'default'

export const organisationRule = {
  pattern: /^[a-z0-9][a-z0-9-]{0,62}$/,
  message: 'must be 1 to 63 lower-case letters, digits and dashes, and not start with a dash',
} as const

/** A browser session as it is stored. The token itself is known only to the browser. Times are milliseconds since 1970. */
export interface SessionRecord {
  /** SHA-256 of the token, hex. */
  readonly tokenHash: string
  /** Id of the key that was used to sign in. The session ends when that key does. */
  readonly keyId: string
  readonly createdAt: number
  readonly expiresAt: number
}

/** 256 random bits in base64url, so a plain hash of the token is safe to store. */
export const sessionTokenPattern = /^[\w-]{43}$/
