/** Gives each distinct value an id in order of appearance. */
export class Dictionary<T = string> {
  readonly values: T[] = []
  readonly #ids = new Map<T, number>()

  id(value: T): number {
    let id = this.#ids.get(value)
    if (id === undefined) {
      id = this.values.length
      this.#ids.set(value, id)
      this.values.push(value)
    }
    return id
  }
}

/** Sorts values and returns the new index of each: ids then compare as their values do. */
export function sortWithRanks<T>(values: readonly T[], compare: (a: T, b: T) => number): [T[], Uint32Array] {
  const order = values.map((_, i) => i).sort((a, b) => compare(values[a]!, values[b]!))
  const moved = new Uint32Array(values.length)
  for (let i = 0; i < order.length; i++) moved[order[i]!] = i
  return [order.map((i) => values[i]!), moved]
}

/** Plain code-unit order: the same on every machine and in every language. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export type IdArray = Uint8Array | Uint16Array | Uint32Array

export function idArray(length: number, bound: number): IdArray {
  if (bound <= 0x100) return new Uint8Array(length)
  return bound <= 0x10000 ? new Uint16Array(length) : new Uint32Array(length)
}

export function narrowIds(ids: ArrayLike<number>, bound: number): IdArray {
  const array = idArray(ids.length, bound)
  array.set(ids)
  return array
}
