import { expect, test } from 'vitest'
import { csvCell, deepestNesting, findTextFault, wrongWithText } from './text.ts'

test.each(['', 'plain', 'Zürich 東京', '\u{1F9C0}', '\uFFFD', 'a\u00a0b', '\u2028', '\uFEFF'])(
  '%j is fit',
  (text) => {
    expect(wrongWithText(text)).toBeUndefined()
  },
)

test.each(['\0', 'a\nb', '\t', '\x1b[31m', '\x7f', '\x85', '\uD800', 'x\uDC00y', '\uDC00\uD800'])(
  '%j is not',
  (text) => {
    expect(wrongWithText(text)).toContain('must not contain')
  },
)

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))

test.each([
  [{ a: 1, b: [null, true, { c: 'x' }] }, undefined],
  [{ a: ['x', '\0'] }, '/a/1'],
  [{ 'a/b~c': { d: '\uD800' } }, '/a~1b~0c/d'],
  [{ a: { 'b\n': 1 } }, '/a'],
  [nested(deepestNesting), undefined],
  [nested(deepestNesting + 1), '/0'.repeat(deepestNesting)],
  [nested(100_000), '/0'.repeat(deepestNesting)],
  [{ toString: null, valueOf: null }, undefined],
])('the first fault in a value is found', (value, pointer) => {
  expect(findTextFault(value)?.pointer).toBe(pointer)
})

test.each([
  ['web', 'web'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  [1 / 3, '0.333333'],
  [-1, '-1'],
  [null, ''],
  ['=1+1', "'=1+1"],
  ['-1', "'-1"],
  ['＝1+1', "'＝1+1"],
  ['\n=1', '"\'\n=1"'],
])('the CSV cell of %j is %j', (value, cell) => {
  expect(csvCell(value)).toBe(cell)
})
