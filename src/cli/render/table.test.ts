import { expect, test } from 'vitest'
import { renderTable } from './table.ts'

test('pads columns, and aligns the given ones right', () => {
  const rows = [
    ['NAME', 'CORES', 'NOTE'],
    ['a', '16', ''],
    ['long', '4', 'x'],
  ]
  expect(renderTable(rows, [1])).toBe('NAME  CORES  NOTE\na        16\nlong      4  x')
})

test.each(['\u001b[2J', '\n', '\u202e', '\u2066', '\u200f'])('replaces %j in every cell', (control) => {
  expect(renderTable([[`a${control[0]}b`, 'c']])).toBe('a\ufffdb  c')
})

test.each([
  ['東京', '東京'],
  ['서울', '서울'],
  ['ﾄｳ', 'ﾄｳ  '],
  ['🚀', '🚀  '],
  ['👩🏽‍💻', '👩🏽‍💻  '],
  ['e\u0301', 'e\u0301   '],
  ['Ærø', 'Ærø '],
])('pads %s to four columns of a terminal', (cell, padded) => {
  expect(
    renderTable([
      [cell, 'x'],
      ['abcd', 'x'],
    ]),
  ).toBe(`${padded}  x\nabcd  x`)
})
