import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { addressOfCall, headersOfCall, operationsOf } from './operations.ts'

const api = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'))

test('every operation that takes JSON or nothing can be tried', () => {
  const operations = operationsOf(api)
  const names = operations.map(({ method, path }) => `${method} ${path}`)
  expect(names).toContain('POST /v1/comparisons')
  expect(names).toContain('GET /v1/usage/{kind}/{id}')
})

test('an address is complete when each part of its path is given', () => {
  const usage = operationsOf(api).find(({ path }) => path === '/v1/usage/{kind}/{id}')!
  expect(addressOfCall(usage, { kind: 'container' })).toBeUndefined()
  expect(addressOfCall(usage, { kind: 'container', id: 'a/b', step: 'hour' })).toBe(
    '/v1/usage/container/a%2Fb?step=hour',
  )
})

test('a precondition is sent as a header', () => {
  const put = operationsOf(api).find(
    ({ method, path }) => method === 'PUT' && path.endsWith('/sizing_rules'),
  )!
  const values = { organisation: 'default', 'If-Match': '"x"' }
  expect(headersOfCall(put, values)).toEqual({ 'If-Match': '"x"' })
  expect(headersOfCall(put, { organisation: 'default', 'If-Match': '' })).toEqual({})
  expect(addressOfCall(put, values)).toBe('/admin/organisations/default/sizing_rules')
})
