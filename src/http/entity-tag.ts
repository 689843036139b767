/** Whether If-None-Match names what would be answered. RFC 9110, 13.1.2: weak comparison, a list, or any. */
export function matchesEntityTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return (header.match(entityTags) ?? []).some((tag) => opaque(tag) === opaque(etag))
}

/** RFC 9110, 8.8.3; a tag may hold commas. */
const entityTags = /(?:W\/)?"[^"]*"/g

const opaque = (tag: string): string => tag.replace(/^W\//, '')
