import type { InventoryMachine } from '../../domain/inventory.ts'

/** Returns the value at a path; undefined if there is none. Documents come from outside, so nothing in them is certain. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let found: unknown = value
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = (found as Record<string | number, unknown>)[step]
  }
  return found
}

export function textAt(value: unknown, ...path: (string | number)[]): string {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : typeof found === 'number' ? String(found) : ''
}

/** Undefined if there is no positive number. */
export function numberAt(value: unknown, ...path: (string | number)[]): number | undefined {
  const found = Number(textAt(value, ...path))
  return found > 0 && Number.isFinite(found) ? found : undefined
}

export function listAt(value: unknown, ...path: (string | number)[]): readonly unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

export function keysAt(value: unknown, ...path: (string | number)[]): readonly string[] {
  const found = at(value, ...path)
  return typeof found === 'object' && found !== null ? Object.keys(found) : []
}

/** https://host/projects/p/zones/us-central1-a -> us-central1-a */
export const lastPathPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Returns undefined if there are no numbers. */
export function mean(values: readonly unknown[]): number | undefined {
  const numbers = values.filter((value): value is number => Number.isFinite(value))
  return numbers.length === 0 ? undefined : numbers.reduce((sum, value) => sum + value, 0) / numbers.length
}

/** Reads a list whose first item has a member; undefined if the document is something else. */
export const itemsWith =
  <Item>(member: string, read: (item: unknown) => Item) =>
  (document: unknown): Item[] | undefined =>
    Array.isArray(document) && at(document, 0, member) !== undefined ? document.map(read) : undefined

/** No machine of another provider or region can be a node of a managed cluster. */
export const nodeIf = (isNode: boolean): Pick<InventoryMachine, 'replaceWithin'> =>
  isNode
    ? {
        replaceWithin: {
          scope: 'region',
          why: 'is a node of a managed cluster: compared within its provider and region only',
        },
      }
    : {}
