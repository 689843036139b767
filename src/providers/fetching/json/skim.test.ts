import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonSkimmer, type Path, type SkimAction } from './skim.ts'
import { NotJson } from './values.ts'

/** Skims a text that is cut into pieces of a size. Returns what was taken, by its path. */
function check(text: string, action: (path: Path) => SkimAction, pieceBytes = 7) {
  const taken: [string, unknown][] = []
  const skimmer = new JsonSkimmer({ action, take: (path, value) => taken.push([path.join('/'), value]) })
  const bytes = Buffer.from(text)
  for (let i = 0; i < bytes.length; i += pieceBytes) skimmer.write(bytes.subarray(i, i + pieceBytes))
  skimmer.finish()
  return taken
}

/** Goes into containers down to a depth and takes what is there. */
const toDepth =
  (depth: number) =>
  (path: Path): SkimAction =>
    path.length < depth ? 'enter' : 'take'

describe('skims', () => {
  const text =
    '{"a":{"x":[1,2,{"y":"}]\\"{"}],"é\\n":true},"b":[{"k":1},{"k":2}],"c":"text","d":{},"e":[],"f":-1.5e3}'
  const rows: [string, number, [string, unknown][]][] = [
    ['the whole', 0, [['', JSON.parse(text)]]],
    [
      'members',
      1,
      [
        ['a', { x: [1, 2, { y: '}]"{' }], 'é\n': true }],
        ['b', [{ k: 1 }, { k: 2 }]],
        ['c', 'text'],
        ['d', {}],
        ['e', []],
        ['f', -1500],
      ],
    ],
    [
      'members of members; what has none is passed over',
      2,
      [
        ['a/x', [1, 2, { y: '}]"{' }]],
        ['a/é\n', true],
        ['b/0', { k: 1 }],
        ['b/1', { k: 2 }],
      ],
    ],
  ]
  for (const [what, depth, expected] of rows)
    test(what, () => {
      const action = toDepth(depth)
      for (const size of [1, 2, 3, 7, 1000])
        expect(
          check(text, action, size).filter(([path]) => path.split('/').length >= depth),
          `pieces of ${size}`,
        ).toEqual(expected)
    })

  test('skips unneeded members without parsing them', () => {
    const seen: unknown[] = []
    const skimmer = new JsonSkimmer({
      action: (path) => (path.length === 0 ? 'enter' : path[0] === 'no' ? 'skip' : 'take'),
      worth: (bytes) => bytes.includes('yes'),
      take: (_, value) => seen.push(value),
    })
    skimmer.write(Buffer.from('{"no":{"yes":[}'.replace('[}', '[]}')))
    skimmer.write(Buffer.from(',"a":{"yes":1},"b":{"maybe":1}}'))
    skimmer.finish()
    expect(seen).toEqual([{ yes: 1 }])
  })
})

test('any JSON, split anywhere, is read like JSON.parse', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 0, max: 3 }),
      (value, size, depth) => {
        const text = JSON.stringify(value, null, size % 3)
        const expected: [string, unknown][] = []
        const walk = (one: unknown, path: string[]): void => {
          const inner = typeof one === 'object' && one !== null
          if (path.length >= depth || !inner) {
            if (path.length >= depth) expected.push([path.join('/'), one])
          } else for (const [key, member] of Object.entries(one)) walk(member, [...path, key])
        }
        walk(JSON.parse(text), [])
        const taken: [string, unknown][] = []
        const skimmer = new JsonSkimmer({
          action: toDepth(depth),
          take: (path, one) => path.length >= depth && taken.push([path.join('/'), one]),
        })
        const bytes = Buffer.from(text)
        for (let i = 0; i < bytes.length; i += size) skimmer.write(bytes.subarray(i, i + size))
        skimmer.finish()
        // Names that look like positions are listed first by JavaScript, not by the text.
        expect(new Map(taken)).toEqual(new Map(expected))
      },
    ),
  )
})

describe('refuses', () => {
  const rows: [string, string, boolean][] = [
    ['nothing', '', true],
    ['a cut object', '{"a":{"b":1}', true],
    ['a cut string', '{"a":"b', true],
    ['a cut key', '{"a', true],
    ['a cut escape', '{"a":"b\\', true],
    ['a page', '<html>', false],
    ['words', 'null and more', false],
    ['a missing comma', '{"a":1 "b":2}', false],
    ['a missing colon', '{"a" 1}', false],
    ['two values', '{} {}', false],
    ['the wrong bracket', '{"a":1]', false],
    ['a comma too many', '[1,]', false],
    ['a bad value', '{"a":{"b":tru}}', false],
  ]
  for (const [what, text, cut] of rows)
    test(what, () => {
      const run = () => check(text, toDepth(1), 3)
      expect(run).toThrow(NotJson)
      try {
        run()
      } catch (error) {
        expect((error as NotJson).cut).toBe(cut)
      }
    })

  test('any text that is cut off', () => {
    fc.assert(
      fc.property(fc.object(), fc.double({ min: 0, max: 0.999, noNaN: true }), (value, share) => {
        const text = JSON.stringify(value)
        const cut = Buffer.from(text).subarray(0, Math.floor(Buffer.byteLength(text) * share))
        const skimmer = new JsonSkimmer({ action: toDepth(1), take: () => {} })
        expect(() => {
          skimmer.write(cut)
          skimmer.finish()
        }).toThrow(NotJson)
      }),
    )
  })
})
