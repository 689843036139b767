/** A plan is JSON from outside: whatever is missing or has another shape is read as nothing. */
export type Json = Readonly<Record<string, unknown>>

const nothing: Json = Object.freeze(Object.create(null))

export const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : nothing

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

export function member(value: unknown, ...path: readonly string[]): unknown {
  let at = value
  for (const name of path) at = Object.hasOwn(asObject(at), name) ? asObject(at)[name] : undefined
  return at
}
