/** Reads flat, regular XML such as price answers are: no attributes that matter inside, no nesting of equal names. */
export function elementsOf(xml: string, name: string): string[] {
  return Array.from(
    xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>(.*?)</${name}>`, 'gs')),
    ([, inner]) => inner!,
  )
}

/** The text of the first such element; '' where there is none. */
export function elementText(xml: string, name: string): string {
  const inner = new RegExp(`<${name}(?:\\s[^>]*)?>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''
  return inner.replace(/&(lt|gt|quot|apos|amp|#\d+|#x[0-9a-f]+);/gi, (_, entity: string) => character(entity))
}

function character(entity: string): string {
  if (entity.startsWith('#'))
    return String.fromCodePoint(Number(entity.slice(1).replace(/^x/i, '0x')) || 0xfffd)
  return named[entity.toLowerCase()]!
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
