/** Where a page of a sorted list ended, as a text for the caller to bring back. */
export const cursorOf = (place: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url')

/** The parts of a cursor, of any type; none where it is not one of ours. Callers write what they like. */
export function cursorParts(cursor: string): readonly unknown[] {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(place) ? place : []
  } catch {
    return []
  }
}

/** The names in a cursor; undefined where it does not hold between `least` and `most` of them, and nothing else. */
export function namesInCursor(cursor: string, least: number, most = least): string[] | undefined {
  const names = cursorParts(cursor)
  const areNames = names.every((name) => typeof name === 'string')
  return areNames && names.length >= least && names.length <= most ? [...names] : undefined
}
