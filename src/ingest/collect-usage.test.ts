import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type CollectionSettings, collectionClient, collectionPartition } from './collect-usage.ts'

const settings: CollectionSettings = {
  organisation: 'acme',
  cluster: 'east 1',
  url: 'http://prometheus:9090/tenant/',
  days: 1,
  bearerFile: '',
  tenant: '',
  matchers: '',
}

const sourceOf = (more: Partial<CollectionSettings> = {}): string =>
  collectionPartition({ ...settings, ...more }).source

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

test('no message contains what a file has in place of a token', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cheapside-bearer-'))
  const bearerFile = join(directory, 'token')
  const make = () => collectionClient({ ...settings, bearerFile }, new AbortController().signal)
  writeFileSync(bearerFile, ' s3cret\n')
  await make()
  for (const content of ['s3cret\nother', 's3cret other', 's3cret\u2013', '\n']) {
    writeFileSync(bearerFile, content)
    await expect(make()).rejects.toThrow(`${bearerFile} must contain one bearer token and nothing else`)
  }
  rmSync(directory, { recursive: true })
})
