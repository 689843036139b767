/** A table's value for a type in any letter case; null where it has none. */
export function lookUp(table: Readonly<Record<string, number>>, instanceType: string): number | null {
  const key = instanceType.toLowerCase()
  return Object.hasOwn(table, key) ? (table[key] ?? null) : null
}
