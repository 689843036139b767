/** No body that the API takes comes near these; JSON.parse makes up to 56 bytes of memory of each byte of `[[[[`. */
const mostDepth = 100
const mostValues = 1_000_000
/** Too short to hold much. */
const harmlessLength = 16 * 1024

/** What is too much about a JSON text, or undefined. Looks at each character once, and takes text that is no JSON as it is. */
export function jsonExcess(text: string): string | undefined {
  if (text.length <= harmlessLength) return undefined
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at)
        break
      case openBracket:
      case openBrace:
        if (++depth > mostDepth) return `it nests deeper than ${mostDepth} levels`
        values++
        break
      case closeBracket:
      case closeBrace:
        depth--
        break
      case comma:
        values++
        break
    }
    if (values > mostValues) return `it holds more than ${mostValues} values`
  }
  return undefined
}

/** Where the string that begins at `start` ends, or the text. */
function endOfString(text: string, start: number): number {
  let end = start
  do {
    end = text.indexOf('"', end + 1)
  } while (end !== -1 && isEscaped(text, end))
  return end === -1 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === backslash) first--
  return (at - first) % 2 === 1
}

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
