import { expect, test } from 'vitest'
import { matchesEntityTag } from './entity-tag.ts'

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
