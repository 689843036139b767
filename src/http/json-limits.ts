import { deepestNesting } from '../domain/text.ts'

/** Ten times what the largest registration of prices needs. */
export const mostJsonValues = 1_000_000

/**
 * What is unreasonable in a JSON text, looked for before it is parsed: a few bytes of it can become many objects.
 * It does not have to be valid JSON. In a phrase that follows "The body"; undefined if nothing.
 */
export function wrongWithJsonText(text: string): string | undefined {
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === openBracket || code === openBrace) {
      values++
      if (++depth > deepestNesting) return `is nested deeper than ${deepestNesting}`
    } else if (code === closeBracket || code === closeBrace) depth--
    else if (code === comma && ++values > mostJsonValues) return `holds more than ${mostJsonValues} values`
  }
  return undefined
}

const [quote, comma, openBracket, closeBracket, openBrace, closeBrace, backslash] = [
  0x22, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d, 0x5c,
]

/** Where the string that begins here ends: at a quote with an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end
    while (before - 1 > start && text.charCodeAt(before - 1) === backslash) before--
    if ((end - before) % 2 === 0) return end
  }
  return text.length
}
