import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf, parsePlace } from './router.ts'

test('an address is parsed into what it was made from, for any names', () => {
  const name = fc.string({ minLength: 1, unit: 'grapheme' })
  fc.assert(
    fc.property(fc.array(name), fc.array(fc.tuple(name, name)), (segments, params) => {
      const address = new URL(addressOf(segments, new URLSearchParams(params)), 'http://service')
      const place = parsePlace(address.pathname, address.search)
      // Browsers resolve . and .. in paths, so no page may have these names.
      if (segments.some((segment) => segment === '.' || segment === '..')) return
      expect(place.segments).toEqual(segments)
      expect([...place.params]).toEqual([...new URLSearchParams(params)])
    }),
  )
})

test.each([
  ['/', []],
  ['/console', []],
  ['/console/machines/a%2Fb', ['machines', 'a/b']],
  ['/console/machines/%E0%A4%A', ['machines', '%E0%A4%A']],
])('%s', (path, segments) => {
  expect(parsePlace(path, '').segments).toEqual(segments)
})
