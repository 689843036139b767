export const scopes = [
  'pricing:read',
  'marketplace:write',
  'gateway:read',
  'gateway:write',
  'usage:write',
  'admin',
] as const
export type Scope = (typeof scopes)[number]

/** A key as it is kept: the secret itself is known only to its holder. Times are milliseconds since 1970. */
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
  /** The key that took this one's place in a rotation. */
  readonly replacedBy: string | null
}

/** csk_<id>_<secret>; the secret is at least 190 random bits, so that a plain hash of it is safe to keep. */
export const keyPattern = /^csk_([0-9A-Za-z]{12})_([0-9A-Za-z]{32,64})$/

/** Whose the very first key is, and what is meant where no organisation is named. */
export const defaultOrganisation = 'default'

export const organisationRule = {
  pattern: /^[a-z0-9][a-z0-9-]{0,62}$/,
  message: 'must be 1 to 63 lower-case letters, digits and dashes, and not start with a dash',
} as const

/** A sign-in of a browser as it is kept: the token itself is known only to the browser. Times are milliseconds since 1970. */
export interface SessionRecord {
  /** SHA-256 of the token, hex. */
  readonly tokenHash: string
  /** The key that was traded for it; the session ends with that key. */
  readonly keyId: string
  readonly createdAt: number
  readonly expiresAt: number
}

/** 256 random bits in base64url, so that a plain hash of it is safe to keep. */
export const sessionTokenPattern = /^[\w-]{43}$/
