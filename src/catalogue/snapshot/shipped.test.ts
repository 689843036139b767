import { expect, test } from 'vitest'
import { quarantine } from '../../providers/quarantine.ts'
import { searchesOfShippedCatalogue, shippedOffers } from './shipped.case.ts'

searchesOfShippedCatalogue(20)

test('the shipped catalogue has no price that a build would leave out today', () => {
  expect(quarantine(shippedOffers).quarantined).toEqual([])
})
