import { styleText } from 'node:util'
import { describe, expect, test } from 'vitest'
import { fittedLines, renderTable, terminal } from './table.ts'

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

describe('on a terminal', () => {
  const head = ['TYPE', 'PROVIDER', 'CORES', 'ARCH', 'COST PER MONTH', 'NOTE']
  const row = ['m5.xlarge', 'AWS', '4', 'x86_64', '$140.16', 'a note that is longer than there is room for']
  const shown = (columns: number, hasColor = false) =>
    terminal.run({ columns, hasColor }, () => renderTable([head, row], [2, 4]).split('\n'))

  test('a table that is narrow enough stays as it is', () => {
    expect(shown(200)).toEqual(renderTable([head, row], [2, 4]).split('\n'))
  })

  test('heads are written on several lines, and long texts are shortened', () => {
    expect(shown(70)).toEqual([
      'TYPE       PROVIDER  CORES  ARCH       COST  NOTE',
      '                                        PER',
      '                                      MONTH',
      'm5.xlarge  AWS           4  x86_64  $140.16  a note that is longer th\u2026',
    ])
  })

  test('a sentence in the last column keeps more room than other texts', () => {
    const rows = [
      ['ID', 'SAVES', 'WHERE', 'RECOMMENDATION'],
      ['1', '$2', 'production/payments', `Resize ${'a'.repeat(60)}`],
    ]
    const lines = terminal.run({ columns: 40, hasColor: false }, () => renderTable(rows).split('\n'))
    expect(lines.at(-1)).toBe('(--wide also shows WHERE)')
    expect(lines[1]).toContain(`Resize ${'a'.repeat(20)}`)
  })

  test('texts are left out before figures, and named', () => {
    const lines = shown(45)
    expect(lines.at(-1)).toBe('(--wide also shows ARCH, NOTE)')
    expect(lines.at(-2)).toContain('$140.16')
  })

  test.each([30, 45, 60, 80, 100])('no line is wider than a terminal of %i columns', (columns) => {
    for (const line of shown(columns).filter((one) => !one.startsWith('(')))
      expect(line.length).toBeLessThanOrEqual(columns)
  })

  test('a list of names and texts is written on several lines, also if its names are long', () => {
    const rows = [['aws_autoscaling_group.one_with_a_very_long_name', 'a note that is long as well']]
    const lines = terminal.run({ columns: 45, hasColor: false }, () => renderTable(rows).split('\n'))
    expect(lines.map((line) => line.slice(0, 19).trim()).join('')).toBe(rows[0]![0])
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(45)
  })

  test('lines that are too wide are wrapped and keep their indentation', () => {
    const lines = terminal.run({ columns: 20, hasColor: false }, () =>
      fittedLines('  a line of several words'),
    )
    expect(lines).toEqual(['  a line of several', '  words'])
  })

  test('the head is bold if there is color', () => {
    const [first] = shown(200, true)
    expect(first).toBe(styleText('bold', shown(200)[0]!, { validateStream: false }))
  })
})
