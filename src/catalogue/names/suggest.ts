import { compareText } from '../columns/dictionary.ts'

/** By edit distance in any letter case, then the common beginning, then name. Names that differ too much are left out. */
export function nearestNames(name: string, names: readonly string[], count: number): string[] {
  const wanted = folded(name)
  return nearestWithin(wanted, names, count, Math.max(2, Math.ceil(wanted.length / 2)))
}

/** Like nearestNames, but however much the names differ. Returns none for a blank name. */
export function nearestOfAny(name: string, names: readonly string[], count: number): string[] {
  if (name.trim() === '') return []
  return nearestWithin(folded(name), names, count, longestName)
}

const longestName = 128
/** Compared pairs of characters, less than 0.1 s: a marketplace may hold 200,000 types with names of any length. */
const maxCompared = 5_000_000

function nearestWithin(wanted: string, names: readonly string[], count: number, farthest: number): string[] {
  const found: { name: string; distance: number; prefix: number }[] = []
  let compared = 0
  for (const candidate of names) {
    const other = folded(candidate)
    if (Math.abs(other.length - wanted.length) > farthest) continue
    compared += wanted.length * other.length
    if (compared > maxCompared) break
    const distance = editDistance(wanted, other, farthest)
    if (distance > farthest) continue
    found.push({ name: candidate, distance, prefix: commonPrefixLength(wanted, other) })
  }
  found.sort((a, b) => a.distance - b.distance || b.prefix - a.prefix || compareText(a.name, b.name))
  return found.slice(0, count).map((f) => f.name)
}

/** Separators are what people get wrong first: "us_east_1" is "us-east-1". Longer names are cut off. */
const folded = (name: string): string =>
  name
    .slice(0, longestName)
    .toLowerCase()
    .replace(/[\s_.]/g, '-')

/** Insertions, deletions, replacements and swaps of neighbours; limit + 1 if they are more than the limit. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let before = new Uint16Array(b.length + 1)
  let last = Uint16Array.from({ length: b.length + 1 }, (_, j) => j)
  let row = new Uint16Array(b.length + 1)
  for (let i = 1; i <= a.length; i++) {
    row[0] = i
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1)
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      const swapped =
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
      if (swapped) cost = Math.min(cost, before[j - 2]! + 1)
      row[j] = cost
      if (cost < least) least = cost
    }
    if (least > limit) return limit + 1
    const spare = before
    before = last
    last = row
    row = spare
  }
  return Math.min(last[b.length]!, limit + 1)
}

function commonPrefixLength(a: string, b: string): number {
  let i = 0
  while (i < a.length && i < b.length && a[i] === b[i]) i++
  return i
}

/** For search while typing: first those that begin with the text, then the others that contain it, each sorted by name. */
export function namesHolding(text: string, names: readonly string[], count: number): string[] {
  const wanted = text.toLowerCase()
  const ranked: { name: string; at: number }[] = []
  for (const name of names) {
    const at = name.toLowerCase().indexOf(wanted)
    if (at >= 0) ranked.push({ name, at: at === 0 ? 0 : 1 })
  }
  ranked.sort((a, b) => a.at - b.at || compareText(a.name, b.name))
  return ranked.slice(0, count).map((r) => r.name)
}
