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
