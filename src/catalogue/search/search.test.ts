import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Catalogue } from '../catalogue.ts'
import { anyNeed, anyRules, knownZones } from './random-offers.case.ts'
import { searchProperties } from './search-properties.case.ts'

searchProperties(20)

test('a search in an empty catalogue finds nothing', () => {
  const nothing = Catalogue.from([], { id: 'test', zones: knownZones, ...anyRules })
  fc.assert(
    fc.property(anyNeed, (need) => {
      expect(nothing.search(need)).toHaveLength(0)
    }),
  )
})
