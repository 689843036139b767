import { deepestNesting } from '../../domain/text.ts'

/** Ten times what the largest registration of prices needs. */
export const mostJsonValues = 1_000_000

/**
 * What is unreasonable in a JSON text, looked for before it is parsed: a few bytes of it can become many objects.
 * It does not have to be valid JSON. In a phrase that follows "The body"; undefined if nothing.
 */
export function wrongWithJsonText(text: string): string | undefined {
  let depth = 0
  let values = 0
  let isString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      // A string without escapes, as most are, is passed over at once.
      const end = isString ? -1 : text.indexOf('"', at + 1)
      if (end !== -1 && text.charCodeAt(end - 1) !== backslash) at = end
      else isString = !isString
    } else if (isString) {
      // Whatever is escaped, above all a quote, is passed over with its backslash.
      if (code === backslash) at++
    } else if (code === openBracket || code === openBrace) {
      values++
      if (++depth > deepestNesting) return `is nested deeper than ${deepestNesting}`
    } else if (code === closeBracket || code === closeBrace) depth--
    else if (code === comma && ++values > mostJsonValues) return `holds more than ${mostJsonValues} values`
  }
  return undefined
}

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
