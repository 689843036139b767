/**
 * Reads names and remembers the first few spellings that meant something: callers write a name the same way each time, and
 * reading one anew takes longer than finding a price. What means nothing, or is long, is not remembered.
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
