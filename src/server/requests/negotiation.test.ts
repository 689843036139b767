import { expect, test } from 'vitest'
import { checkAccept, listFormat, matchesEntityTag, writeList } from './negotiation.ts'

const json = ['application/json']
const rows: [accept: string | undefined, produces: readonly string[], taken: boolean][] = [
  [undefined, json, true],
  ['*/*', json, true],
  ['application/json', json, true],
  ['application/*;q=0.5', json, true],
  ['text/html, application/xhtml+xml, */*;q=0.8', json, true],
  ['Application/JSON; charset=utf-8', json, true],
  ['text/html', json, false],
  ['application/json;q=0', json, false],
  ['application/json;q=0.000, text/csv', json, false],
  ['application/json', ['text/html'], false],
  ['text/plain;version=0.0.4', ['text/plain'], true],
  ['', json, false],
]
test.each(rows)('Accept: %s for %s', (accept, produces, taken) => {
  const attempt = () => checkAccept(accept, produces)
  if (taken) expect(attempt).not.toThrow()
  else expect(attempt).toThrow('produces')
})

test.each<[string | undefined, boolean]>([
  [undefined, false],
  ['', false],
  ['"a,b"', true],
  ['W/"a,b"', true],
  ['"x", W/"a,b" ,"y"', true],
  ['"x","a,b"', true],
  ['*', true],
  [' * ', true],
  ['"*"', false],
  ['"x", *', false],
  ['"a"', false],
  ['a,b', false],
  ['"A,B"', false],
  ['"a,b', false],
])('If-None-Match: %s', (header, known) => {
  expect(matchesEntityTag(header, '"a,b"')).toBe(known)
  expect(matchesEntityTag(header, 'W/"a,b"')).toBe(known)
})

const written = async (items: readonly unknown[], format: 'json' | 'ndjson') =>
  Array.fromAsync(writeList(items, format))

test('lists are one array or a line for each item', async () => {
  expect((await written([], 'json')).join('')).toBe('[]')
  expect((await written([], 'ndjson')).join('')).toBe('')
  expect((await written([1, { a: 2 }, 'x'], 'json')).join('')).toBe('[1,{"a":2},"x"]')
  expect((await written([1, { a: 2 }, 'x'], 'ndjson')).join('')).toBe('1\n{"a":2}\n"x"\n')
})

test('long lists are written in pieces of about 64 KiB', async () => {
  const items = Array.from({ length: 300 }, (_, n) => `${n}`.padEnd(1000, 'x'))
  for (const format of ['json', 'ndjson'] as const) {
    const pieces = await written(items, format)
    expect(pieces.slice(0, -1).every(({ length }) => length >= 64 * 1024 && length < 66 * 1024)).toBe(true)
    expect(pieces).toHaveLength(5)
    const text = pieces.join('')
    const read =
      format === 'json'
        ? JSON.parse(text)
        : text
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line))
    expect(read).toEqual(items)
  }
})

test('NDJSON is for callers that name it', () => {
  expect(
    [undefined, '*/*', 'application/json', 'text/html, Application/X-NDJSON;q=0.5'].map(listFormat),
  ).toEqual(['json', 'json', 'json', 'ndjson'])
})
