import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvRecords } from './csv-records.ts'

const told = (text: string) =>
  csvRecords(text).map(({ line, cells, wrong }) => `${line} ${wrong ?? cells.join('|')}`)

const open = 'opens a quote that is not closed'
const inside = 'has a quote inside a field that does not begin with one'
const after = 'has text after a closing quote'

test.each<[string, string, string[]]>([
  ['at the end of the file', 'a,b\n1,2\n"3,4', ['1 a|b', '2 1|2', `3 ${open}`]],
  ['before good lines', 'a,b\n"1,2\n3,4\n5,6', ['1 a|b', `2 ${open}`, '3 3|4', '4 5|6']],
  ['before a quoted field', 'a,b\n"1,2\n3,"4"\n5,6', ['1 a|b', `2 ${open}`, '3 3|4', '4 5|6']],
  ['twice', 'a,b\n"1,2\n"3,4\n5,6', ['1 a|b', `2 ${open}`, `3 ${open}`, '4 5|6']],
  ['in a later line of its record', 'a,b\n"1\n1","2\n3,4', ['1 a|b', `3 ${open}`, '4 3|4']],
  ['in the header', '"a,b\n1,2', [`1 ${open}`, '2 1|2']],
  ['inside a field', 'a,b\n1"1,2\n3,4', ['1 a|b', `2 ${inside}`, '3 3|4']],
  ['before text', 'a,b\n"1"1,2\n3,4', ['1 a|b', `2 ${after}`, '3 3|4']],
  ['doubled', 'a,b\n"1""1",2\n"""",3', ['1 a|b', '2 1"1|2', '3 "|3']],
])('a quote %s', (_, text, expected) => {
  for (const lineEnd of ['\n', '\r\n', '\r']) expect(told(text.replaceAll('\n', lineEnd))).toEqual(expected)
})

test('well-formed CSV is read as by an independent parser', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', ';', ' ', '\r\n', 'é'), maxLength: 6 })
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 6 })
  fc.assert(
    fc.property(rows, fc.constantFrom('\n', '\r\n'), (made, lineEnd) => {
      const quoted = [['first', 'line'], ...made].map((row) => row.map(written).join(',')).join(lineEnd)
      const options = { relax_column_count: true, record_delimiter: lineEnd }
      expect(csvRecords(quoted).map(({ cells }) => cells)).toEqual(parse(quoted, options))
    }),
  )
})

const written = (cell: string) => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
