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
