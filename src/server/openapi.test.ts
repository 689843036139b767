import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { problemTable } from '../domain/problem.ts'
import type { OpenApiDocument } from './openapi.ts'
import { startTestService, type TestService } from './service.case.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service?.stop())

const documented = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8'),
) as OpenApiDocument

test('the API equals the document, with every bound of every field', async () => {
  const { json } = await service.ask('/openapi.json')
  expect(json).toEqual(documented)
})

test('no parameter with a default is required of callers', () => {
  const parameters = Object.values(documented.paths).flatMap((operations) =>
    Object.values(operations).flatMap((operation) => operation.parameters ?? []),
  )
  const defaulted = parameters.filter(({ schema }) => 'default' in schema)
  expect(defaulted.length).toBeGreaterThan(20)
  expect(defaulted.filter(({ required }) => required)).toEqual([])
})

test('the table of manifests is documented beside the YAML', () => {
  const path = '/v1/namespace_recommendations/{cluster}/{namespace}/manifests'
  const { content } = documented.paths[path]!.get!.responses['200']!
  expect(Object.keys(content!)).toEqual(['application/yaml', 'text/csv'])
})

test('the page describes every operation, parameter and problem', async () => {
  const page = await service.ask('/docs', { headers: { accept: 'text/html' } })
  expect(page.headers.get('content-security-policy')).toContain("style-src 'self'")
  // Code between backticks is shown as code.
  const shown = (text: string) => text.replaceAll('`', '')
  const plain = page.text
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
  for (const [path, operations] of Object.entries(documented.paths))
    for (const [method, operation] of Object.entries(operations)) {
      expect(plain).toContain(`${method.toUpperCase()} ${path}`)
      expect(plain).toContain(shown(`${operation.summary} ${operation.description ?? ''}`))
      for (const { name, description = '' } of operation.parameters ?? [])
        expect(plain).toMatch(
          new RegExp(
            `${name} .*, in the (path|query|header)(, required)?${RegExp.escape(shown(description))}`,
          ),
        )
    }
  for (const [code, [status, , meaning]] of Object.entries(problemTable))
    expect(plain).toContain(shown(`${status}${code}${meaning}`))
})

const rendered = (part: string) => expect.stringContaining(part)

test('the page shows types, requirements and nested fields as the schemas have them', async () => {
  const { text } = await service.ask('/docs', { headers: { accept: 'text/html' } })
  const article = (id: string) => text.slice(text.indexOf(`<article id="${id}"`)).split('</article>')[0]!
  const keys = article('post-admin-keys')
  expect(keys).toEqual(rendered('<dt><code>organisation</code> <i>string, required</i></dt><dd>Lower-case'))
  expect(keys).toEqual(
    rendered('<dt><code>expires_at</code> <i>string</i></dt><dd>RFC 3339; default: never</dd>'),
  )
  expect(keys).toEqual(rendered('<dt><code>scopes</code> <i>array of string, required</i></dt>'))
  expect(keys).toEqual(rendered('Needs a key with the scope <code>admin</code>.'))
  expect(article('get-key')).toEqual(rendered('Needs a key, of any scope.'))
  const health = article('get-healthz')
  expect(health).toEqual(rendered('Needs no key.'))
  expect(health).toEqual(rendered('<dt><code>status</code> <i>&quot;ok&quot;, required</i></dt>'))
  expect(health).not.toContain('<h4>Parameters</h4>')
  expect(health).not.toContain('<h4>Body</h4>')
  const rotate = article('post-admin-keys-id-rotate')
  expect(rotate).toEqual(
    rendered('<h4>Parameters</h4><dl><dt><code>id</code> <i>string, in the path, required</i>'),
  )
  expect(rotate).toEqual(rendered('<h4>Body</h4><dl><dt><code>overlap_seconds</code> <i>integer</i></dt>'))
  expect(article('get-admin-keys')).toEqual(
    rendered('<i>string, in the query</i></dt><dd>Blank for all organisations'),
  )
  const prices = article('post-recommendations')
  expect(prices).toEqual(rendered('<code>cpu_cores</code>'))
  expect(article('get-v1-regions')).toEqual(rendered('<p>An array of object:</p><dl>'))
})

test('documents are not sent again to a client that has them', async () => {
  for (const path of ['/openapi.json', '/docs', '/docs.css', '/providers', '/catalogue']) {
    const first = await service.ask(path)
    const etag = first.headers.get('etag')!
    expect([first.status, etag], path).toEqual([200, expect.stringMatching(/^(W\/)?".+"$/)])
    const again = await service.ask(path, { headers: { 'if-none-match': etag } })
    expect([again.status, again.text], path).toEqual([304, ''])
    const changed = await service.ask(path, { headers: { 'if-none-match': '"other"' } })
    expect([changed.status, changed.text === first.text], path).toEqual([200, true])
  }
})
