import { invalidField } from '../pricing/not-found.ts'

/** Where a page of a sorted list ended: the names of its last item. */
export const cursorOf = (names: readonly string[]): string =>
  Buffer.from(JSON.stringify(names)).toString('base64url')

export function namesAfter(cursor: string, count: number): readonly string[] {
  const names = parsed(Buffer.from(cursor, 'base64url').toString())
  if (Array.isArray(names) && names.length === count && names.every((name) => typeof name === 'string'))
    return names
  throw invalidField('?cursor', 'must be one from a Link header')
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
