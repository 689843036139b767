import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

test('written rows are read back unchanged', () => {
  const cell = fc.string().filter((text) => !/^[=+\-@\t\r\n＝＋－＠]/.test(text))
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
      expect(parse(csvOf(['a', 'b'], rows), { record_delimiter: '\r\n' })).toEqual([['a', 'b'], ...rows])
    }),
  )
})

test.each([
  ['=1+1', "'=1+1"],
  ['@cmd', "'@cmd"],
  ['＝1+1', "'＝1+1"],
  ['\n=1+1', `"'\n=1+1"`],
  [-1.5, '-1.5'],
  [null, ''],
])('no spreadsheet reads %j as a formula', (cell, written) => {
  expect(csvOf(['a'], [[cell]])).toBe(`a\r\n${written}\r\n`)
})
