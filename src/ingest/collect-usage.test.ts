import { expect, test } from 'vitest'
import { type CollectionSettings, collectionPartition } from './collect-usage.ts'

const sourceOf = (more: Partial<CollectionSettings> = {}): string =>
  collectionPartition({
    organisation: 'acme',
    cluster: 'east 1',
    url: 'http://prometheus:9090/tenant/',
    days: 1,
    bearerFile: '',
    tenant: '',
    matchers: '',
    ...more,
  }).source

test('a collection has the name that it had in earlier releases, so that it resumes where it stopped', () => {
  expect(sourceOf()).toBe('collect/east%201@prometheus:9090/tenant')
  expect(sourceOf({ part: { number: 2, count: 4 } })).toBe('collect/east%201@prometheus:9090/tenant~4')
})

test('collections with different matchers or tenants are different collections', () => {
  const shop = sourceOf({ matchers: 'namespace="shop"' })
  expect(shop).toBe('collect/east%201@prometheus:9090/tenant#9cc8d2c7c388a578')
  expect(sourceOf({ matchers: 'namespace="shop"' })).toBe(shop)
  const part = { number: 1, count: 4 }
  const names = [
    sourceOf(),
    shop,
    sourceOf({ matchers: 'namespace="pay"' }),
    sourceOf({ tenant: 'blue' }),
    sourceOf({ tenant: 'green' }),
    sourceOf({ tenant: 'blue', matchers: 'namespace="shop"' }),
    sourceOf({ part }),
    sourceOf({ part, matchers: 'namespace="shop"' }),
  ]
  expect(new Set(names).size).toBe(names.length)
})
