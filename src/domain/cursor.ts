import { hash } from 'node:crypto'

/** Encodes where a page of a sorted list ended, as a text that the caller sends back to get the next page. */
export const cursorOf = (place: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url')

/** Returns the parts of a cursor, or none if it is malformed. Callers can send anything, so a part may have any type. */
export function cursorParts(cursor: string): readonly unknown[] {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(place) ? place : []
  } catch {
    return []
  }
}

/** Returns the names in a cursor, or undefined unless it consists of `least` to `most` strings. */
export function namesInCursor(cursor: string, least: number, most = least): string[] | undefined {
  const names = cursorParts(cursor)
  const areNames = names.every((name) => typeof name === 'string')
  return areNames && names.length >= least && names.length <= most ? [...names] : undefined
}

/** Returns an entity tag of RFC 9110, with its quotation marks, for the content that it identifies. */
export const entityTagOf = (content: string | Uint8Array): string =>
  `"${hash('sha256', content, 'base64url').slice(0, 22)}"`

export type Precondition = (etag: string) => boolean
