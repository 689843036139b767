import { expect, test } from 'vitest'
import { changesOf } from './changes.ts'

const changed = (source: string) =>
  changesOf(source).map(({ start, end, text }) => source.slice(0, start) + text + source.slice(end))

test.each([
  ['a < b', ['a <= b']],
  ['const x: 1 | 2 = a && b', ['const x: 1 | 2 = a || b']],
  ['f(!ready)', [';', 'f(ready)']],
  ['let n = 4', ['let n = 5']],
  ['n++', ['n--']],
  ['x = y as number + 1', ['x = y as number - 1', 'x = y as number + 2']],
  ["import { a } from './a.ts'", []],
  ["throw new Error('text')", []],
])('%s', (source, expected) => {
  expect(changed(source)).toEqual(expected)
})

test('conditions are forced both ways', () => {
  expect(changed('if (a) b()')).toEqual(['if (true) b()', 'if (false) b()', 'if (a) ;'])
})
