/**
 * Reads names and caches the first few spellings that have a meaning: callers write a name the same way each time, and
 * reading it again takes longer than finding a price. Unknown and long names are not cached.
 */
export function memoizeNames<T>(read: (name: string) => T | undefined): (name: string) => T | undefined {
  const met = new Map<string, T>()
  return (name) => {
    const known = met.get(name)
    if (known !== undefined) return known
    const found = read(name)
    if (found !== undefined && met.size < most && name.length <= longest) met.set(name, found)
    return found
  }
}

const most = 200
const longest = 100
