import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Server } from '../server.ts'
import { consoleRoutes } from './console.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cheapside-console-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

test('says that it is not built, and is there as soon as it is', async () => {
  const server = Fastify()
  consoleRoutes(folder)(server as unknown as Server)
  const missing = await server.inject('/')
  expect([missing.statusCode, missing.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8'])
  expect(missing.body).toContain('The console is not built')
  expect((await server.inject('/console/assets/a.js')).statusCode).toBe(404)

  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<p>built</p>')
  writeFileSync(join(folder, 'assets/a.js'), 'let a')
  writeFileSync(join(folder, 'secret'), 'not of a kind that is served')
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
