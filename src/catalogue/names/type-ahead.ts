import { compareText } from '../columns/dictionary.ts'

/** Names that hold a text, for search while typing: those that begin with it first, then those that hold it; by name. */
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
