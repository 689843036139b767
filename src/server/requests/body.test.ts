import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Problem } from '../../domain/problem.ts'
import { deepestNesting } from '../../domain/text.ts'
import { maxJsonValues, wholeBody, wrongWithJsonText } from './body.ts'

const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const brackets = '['.repeat(1000)

test.each([
  ['{}', undefined],
  [deep(deepestNesting), undefined],
  [`[${Array(500).fill('[]')}]`, undefined],
  [JSON.stringify({ a: brackets, b: `\\"${brackets}`, c: `\\${brackets}` }), undefined],
  [`"${brackets}`, undefined],
  [deep(deepestNesting + 1), 'nested'],
  ['{"a":'.repeat(deepestNesting + 1), 'nested'],
  [`["\\\\",${deep(deepestNesting)}]`, 'nested'],
  ['['.repeat(100_000), 'nested'],
  [`[${'0,'.repeat(maxJsonValues + 1)}0]`, 'values'],
  [`[${'[],'.repeat(maxJsonValues)}[]]`, 'values'],
])('%#: unreasonable JSON is recognised before it is parsed', (text, says) => {
  if (says === undefined) expect(wrongWithJsonText(text)).toBeUndefined()
  else expect(wrongWithJsonText(text)).toContain(says)
})

describe('a body is read completely, in whatever chunks it was sent', () => {
  const limit = 300_000
  const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

  async function startServer(): Promise<string> {
    const server = Fastify()
    server.decorateRequest('limitBytes', limit)
    server.removeAllContentTypeParsers()
    server.addContentTypeParser(
      '*',
      wholeBody((_request, body, done) => done(null, body)),
    )
    server.setErrorHandler((error, _request, reply) =>
      reply.code(error instanceof Problem ? error.status : 500).send(),
    )
    server.post('/', async ({ body }) => hashOf(body as Buffer))
    onTestFinished(() => server.close())
    return server.listen({ host: '127.0.0.1', port: 0 })
  }

  test.each([
    [1, 1],
    [5000, 1],
    [65_536, 65_536],
    [65_537, 1000],
    [200_000, 70_000],
    [limit, 7777],
  ])('%d bytes in chunks of %d', async (length, chunkBytes) => {
    const url = await startServer()
    const bytes = randomBytes(length)
    const chunks = function* () {
      for (let at = 0; at < length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
    }
    const headers = { 'content-type': 'application/octet-stream' }
    for (const body of [bytes, Readable.from(chunks())]) {
      const answer = await fetch(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
      expect(await answer.text()).toBe(hashOf(bytes))
    }
  })

  test('beyond the limit it is refused, whether its length is announced or not', async () => {
    const url = await startServer()
    const bytes = Buffer.alloc(limit + 1)
    const headers = { 'content-type': 'application/octet-stream' }
    for (const body of [bytes, Readable.from([bytes.subarray(1), bytes.subarray(0, 1)])])
      expect(
        (await fetch(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)).status,
      ).toBe(413)
  })
})
