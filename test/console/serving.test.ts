import { get } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, type RunningService, startService } from '../service.ts'

let service: RunningService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

const page = { headers: { accept: 'text/html' } }

describe('pages', () => {
  test.each(['/', '/console', '/console/compare', '/console/namespaces/a%2Fb/c', '/console/no/such/page'])(
    '%s is the console, under a strict policy',
    async (path) => {
      const { status, headers, text } = await ask(service.url, path, page)
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self';/,
      )
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe|https?:|\*/)
      expect(text).not.toMatch(/https?:\/\//)
    },
  )

  test.each([
    '/providers',
    '/catalogue',
    '/v1/nothing',
    '/compare',
    '/marketplace',
    '/console/assets/none.js',
  ])('%s is not', async (path) => {
    const { headers } = await ask(service.url, path, { headers: { accept: '*/*' } })
    expect(headers.get('content-type')).toBe('application/problem+json')
  })

  test('repeated requests: 304 for the page, none for a file whose name contains a hash', async () => {
    const first = await ask(service.url, '/', page)
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const etag = first.headers.get('etag')!
    const again = await ask(service.url, '/', { headers: { accept: 'text/html', 'if-none-match': etag } })
    expect([again.status, again.text]).toEqual([304, ''])
    const [, script] = /src="(\/console\/assets\/[^"]+\.js)"/.exec(first.text)!
    const file = await ask(service.url, script!)
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(file.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  })

  test.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0', undefined],
    ['identity', undefined],
  ])('compressed as the browser accepts it: %s', async (accepted, coding) => {
    const { headers, bytes } = await raw('/', { 'accept-encoding': accepted })
    expect(headers['content-encoding']).toBe(coding)
    expect(headers.vary).toContain('accept-encoding')
    if (coding === 'br') expect(String(brotliDecompressSync(bytes))).toContain('<div id="app">')
  })
})

/** Does not use fetch, which decompresses automatically. */
function raw(path: string, headers: Record<string, string>) {
  return new Promise<{ headers: import('node:http').IncomingHttpHeaders; bytes: Buffer }>((resolve) => {
    get(service.url + path, { headers }, async (answer) => {
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk as Buffer)
      resolve({ headers: answer.headers, bytes: Buffer.concat(chunks) })
    })
  })
}
