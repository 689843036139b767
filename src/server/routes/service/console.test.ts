import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Server } from '../../server.ts'
import { consoleRoutes } from './console.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'cheapside-console-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

test('reports that the console is not built, and serves it as soon as it is', async () => {
  const server = Fastify()
  consoleRoutes(directory)(server as unknown as Server)
  const missing = await server.inject('/')
  expect([missing.statusCode, missing.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8'])
  expect(missing.body).toContain('The console is not built')
  expect((await server.inject('/console/assets/a.js')).statusCode).toBe(404)

  mkdirSync(join(directory, 'assets'))
  writeFileSync(join(directory, 'index.html'), '<p>built</p>')
  writeFileSync(join(directory, 'assets/a.js'), 'let a')
  writeFileSync(join(directory, 'secret'), 'not of a kind that is served')
  expect((await server.inject('/')).body).toBe('<p>built</p>')
  expect((await server.inject('/console/assets/a.js')).body).toBe('let a')
  for (const path of [
    '/console/assets/..%2Fsecret',
    '/console/assets/%2e%2e%2findex.html',
    '/console/assets/none',
  ]) {
    expect((await server.inject(path)).statusCode).toBe(404)
  }
})

test('files are sent compressed to clients that accept it, and not again to clients that have them', async () => {
  const built = join(directory, 'compressed')
  mkdirSync(join(built, 'assets'), { recursive: true })
  for (const [name, content] of Object.entries({
    'index.html': 'page',
    'assets/a.js': 'plain',
    'assets/a.js.br': 'br',
    'assets/a.js.gz': 'gz',
  }))
    writeFileSync(join(built, name), content)
  const server = Fastify()
  consoleRoutes(built)(server as unknown as Server)
  const ask = async (encoding: string | undefined, more = {}) => {
    const accepted = encoding === undefined ? {} : { 'accept-encoding': encoding }
    return server.inject({ url: '/console/assets/a.js', headers: { ...accepted, ...more } })
  }
  for (const [encoding, body, coding] of [
    [undefined, 'plain', undefined],
    ['gzip, BR', 'br', 'br'],
    ['gzip', 'gz', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gz', 'gzip'],
    ['br;q=0.000', 'plain', undefined],
    ['deflate', 'plain', undefined],
  ]) {
    const answer = await ask(encoding)
    expect([answer.body, answer.headers['content-encoding']], encoding).toEqual([body, coding])
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    })
  }
  const { etag } = (await ask(undefined)).headers
  const kept = await ask('br', { 'if-none-match': etag })
  expect([kept.statusCode, kept.body, kept.headers['content-encoding']]).toEqual([304, '', undefined])
  for (const path of ['/', '/console', '/console/any/where']) {
    const page = await server.inject(path)
    expect([page.body, page.headers['cache-control'], page.headers['content-type']]).toEqual([
      'page',
      'no-cache',
      'text/html; charset=utf-8',
    ])
  }
})
