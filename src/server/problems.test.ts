import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ProblemCode, problemTable } from '../domain/problem.ts'
import { type AskOptions, startTestService, type TestService } from './service.case.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service?.stop())

const json = { 'content-type': 'application/json' }

describe('problems', () => {
  test.each<[string, string, AskOptions, ProblemCode, string]>([
    ['no key', '/key', { key: null }, 'unauthenticated', 'Send a valid API key'],
    ['a wrong key', '/key', { key: 'secret' }, 'unauthenticated', 'Send a valid API key'],
    ['an unknown path', '/nowhere?a', {}, 'not-found', 'No route matches /nowhere.'],
    [
      'a wrong method',
      '/admin/keys',
      { method: 'DELETE' },
      'method-not-allowed',
      'supports GET, HEAD, POST.',
    ],
    ['an unknown key', '/admin/keys/abc/revoke', { method: 'POST' }, 'not-found', 'abc'],
    [
      'an impossible answer',
      '/key',
      { headers: { accept: 'text/csv' } },
      'not-acceptable',
      'produces application/json.',
    ],
    [
      'another type',
      '/pricing',
      { body: 'a=b', headers: { 'content-type': 'a/b' } },
      'unsupported-media-type',
      'Send the body as',
    ],
    [
      'a coding',
      '/pricing',
      { body: '{}', headers: { ...json, 'content-encoding': 'gzip' } },
      'unsupported-media-type',
      'uncompressed',
    ],
    [
      'no JSON',
      '/pricing',
      { body: '{"a":', headers: json },
      'not-json',
      'not valid JSON: Unexpected end of JSON input.',
    ],
    ['an empty body', '/pricing', { body: '', headers: json }, 'not-json', 'The body is empty'],
    [
      '__proto__',
      '/pricing',
      { body: '{"__proto__":1}', headers: json },
      'not-json',
      'a member named __proto__, which',
    ],
    [
      'a constructor',
      '/pricing',
      { body: '{"constructor":{"prototype":1}}', headers: json },
      'not-json',
      'named constructor with a member named prototype',
    ],
    [
      'deep nesting',
      '/pricing',
      { body: '['.repeat(1000), headers: json },
      'invalid',
      'The body is nested deeper than',
    ],
    ['missing fields', '/pricing', { body: {} }, 'invalid', 'The body is invalid.'],
    ['a bad query', '/v1/regions?limit=0', {}, 'invalid', 'The query is invalid.'],
    ['a bad path', '/admin/keys/%zz/revoke', { method: 'POST' }, 'bad-request', ''],
    [
      'too large',
      '/pricing',
      { body: { a: 'x'.repeat(1024 * 1024) } },
      'body-too-large',
      'larger than this endpoint accepts',
    ],
  ])('%s', async (_, path, options, code, detail) => {
    const { status, headers, json: problem } = await service.ask(path, options)
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(problem).toMatchObject({
      type: `urn:cheapside:problem:${code}`,
      title: problemTable[code][1],
      status: problemTable[code][0],
      detail: expect.stringContaining(detail),
      instance: path.split('?')[0],
      code,
      request_id: headers.get('x-request-id'),
    })
    expect(status).toBe(problemTable[code][0])
    expect(headers.get('www-authenticate')).toBe(status === 401 ? 'ApiKey realm="cheapside"' : null)
  })

  /** Fields have both members, for clients that read `detail` instead of `message`. */
  const withDetail = (fault: { pointer: string; message: string }) => ({ ...fault, detail: fault.message })

  test('name each wrong field', async () => {
    const body = { organisation: 4, scopes: ['pricing:read', 7], expires_at: null }
    const { json: problem } = await service.ask('/admin/keys', { body })
    expect(problem.errors).toEqual(
      [
        { pointer: '/name', message: 'is required' },
        { pointer: '/organisation', message: 'must be string' },
        { pointer: '/scopes/1', message: 'must be string' },
        { pointer: '/expires_at', message: 'must be string' },
      ].map(withDetail),
    )
    const query = await service.ask('/v1/regions?limit=0')
    expect(query.json.errors).toEqual([withDetail({ pointer: '?limit', message: 'must be >= 1' })])
  })

  test('name the supported methods of a path', async () => {
    const { headers } = await service.ask('/admin/keys', { method: 'PATCH' })
    expect(headers.get('allow')).toBe('GET, HEAD, POST')
  })
})

test('a Content-Type without a body is accepted', async () => {
  for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
    const headers = { 'content-type': type }
    const { status } = await service.ask('/admin/keys/abc/revoke', { method: 'POST', body: '', headers })
    expect(status).toBe(404)
  }
})
