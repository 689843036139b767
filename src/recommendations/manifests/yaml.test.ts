import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDocuments, readYaml } from './read-yaml.case.ts'
import { writeDocument, writeRemark, writeYaml, type Yaml } from './yaml.ts'

test.each<[Yaml, string]>([
  [{ a: { b: 'c' } }, 'a:\n  b: c\n'],
  [{ a: [{ b: 1, c: 'x' }, { b: 2 }] }, 'a:\n- b: 1\n  c: x\n- b: 2\n'],
  [{ cpu: '250m', memory: '512Mi', whole: '2' }, 'cpu: 250m\nmemory: 512Mi\nwhole: "2"\n'],
  [{ a: 'no', b: 'true', c: 'NULL', d: '1e3', e: '' }, 'a: "no"\nb: "true"\nc: "NULL"\nd: "1e3"\ne: ""\n'],
  [{ a: 'ümlaut: #x', 'b c': 'é' }, 'a: "ümlaut: #x"\n"b c": "é"\n'],
  [{ a: 'one\ntwo\n', b: 'one\ntwo' }, 'a: |\n  one\n  two\nb: |-\n  one\n  two\n'],
  [{ a: undefined, b: [], c: {} }, 'b: []\nc: {}\n'],
])('%j', (value, text) => {
  expect(writeYaml(value)).toBe(text)
})

test('an independent parser reads the output', () => {
  const { value } = fc.letrec<{ value: Yaml }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string({ unit: 'binary' }),
      fc.constantFrom('a\nb', 'x\n', ' a\n b\n', 'no', '250m', '- x', 'a: b', '#', '\n', 'on\n\noff\n'),
      fc.integer(),
      fc.boolean(),
      fc.array(fc.dictionary(fc.string({ minLength: 1 }), tie('value'), { minKeys: 1, maxKeys: 3 }), {
        maxLength: 3,
      }),
      fc.dictionary(fc.string({ minLength: 1 }), tie('value'), { maxKeys: 4 }),
    ),
  }))
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), value, { minKeys: 1 }), (object) => {
      expect(readYaml(writeYaml(object))).toEqual({ ...object })
    }),
  )
})

test('comments stay on their lines', () => {
  const text =
    writeRemark('cluster a\n---\nkind: Evil\u2028x') + writeDocument({ a: 1 }) + writeDocument({ b: 2 })
  expect(text.split('\n')[0]).toBe('# cluster a --- kind: Evil x')
  expect(readDocuments(text)).toEqual([{ a: 1 }, { b: 2 }])
})
