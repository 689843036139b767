import { expect, test } from 'vitest'
import { deepestNesting } from '../../domain/text.ts'
import { mostJsonValues, wrongWithJsonText } from './body.ts'

const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const brackets = '['.repeat(1000)

test.each([
  ['{}', undefined],
  [deep(deepestNesting), undefined],
  [`[${Array(500).fill('[]')}]`, undefined],
  [JSON.stringify({ a: brackets, b: `\\"${brackets}`, c: `\\${brackets}` }), undefined],
  [`"${brackets}`, undefined],
  [deep(deepestNesting + 1), 'nested'],
  ['{"a":'.repeat(deepestNesting + 1), 'nested'],
  [`["\\\\",${deep(deepestNesting)}]`, 'nested'],
  ['['.repeat(100_000), 'nested'],
  [`[${'0,'.repeat(mostJsonValues + 1)}0]`, 'values'],
  [`[${'[],'.repeat(mostJsonValues)}[]]`, 'values'],
])('%#: what is unreasonable is seen in the text', (text, says) => {
  if (says === undefined) expect(wrongWithJsonText(text)).toBeUndefined()
  else expect(wrongWithJsonText(text)).toContain(says)
})
