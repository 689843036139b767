import { expect, test } from 'vitest'
import { offer } from '../../domain/offer.case.ts'
import type { Architecture } from '../../domain/offer.ts'
import { shippedFacts } from '../shipped-facts.ts'
import { changesBetween } from './changes.ts'

const rack = { provider: 'our-racks', instanceType: 'rack-8', region: 'basement' }

test.each<[Architecture, Architecture, string | undefined]>([
  ['arm64', '', 'unknown-architecture'],
  ['arm64', 'arm64', undefined],
  ['arm64', 'x86_64', 'architecture'],
  ['x86_64', '', undefined],
  ['', 'arm64', undefined],
])('from %j to %j the architecture changes: %j', (from, to, change) => {
  const found = changesBetween(
    shippedFacts(),
    offer({ architecture: from }),
    offer({ ...rack, architecture: to }),
  )
  expect(found.find((name) => name.endsWith('architecture'))).toBe(change)
})
