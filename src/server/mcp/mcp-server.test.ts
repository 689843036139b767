import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { StoreUnavailable } from '../../store/port.ts'
import { HeavyReads } from '../heavy-reads.ts'
import { mcpRoutes } from '../routes/service/mcp.ts'
import { smallServer, testKey } from '../small-server.case.ts'
import { mcpHandler } from './mcp-server.ts'
import type { ToolDeps } from './tool.ts'

const now = Date.parse('2026-11-18T12:00:00Z')
const servers: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** Serves the tools over HTTP. Reading usage runs the work of the test. */
async function serve(
  listOf: (signal: AbortSignal) => Promise<never> = () => Promise.reject(new Error('no')),
) {
  const failures: unknown[] = []
  const reads = new HeavyReads({
    slots: 2,
    waitSeconds: 60,
    loading: { loaded: async () => undefined },
    onFailure: (error) => failures.push(error),
  })
  const deps = {
    now: () => now,
    usage: (use: (deps: object) => Promise<unknown>) => use({ labels: [] }),
    recommendations: (use: (deps: object) => Promise<unknown>) =>
      use({ lists: { listOf: (_: string, signal: AbortSignal) => listOf(signal) } }),
  } as unknown as ToolDeps
  const routes = mcpRoutes(
    mcpHandler(deps, (error) => failures.push(error)),
    reads,
  )
  const holder = { ...testKey, scopes: ['pricing:read', 'gateway:read'] as const }
  const { server, readiness } = smallServer(routes, { authenticate: () => holder })
  readiness.started()
  await server.listen({ host: '127.0.0.1', port: 0 })
  servers.push(server)
  const { port } = server.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/mcp`
  const headers = {
    'x-api-key': 'known',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const ask = async (message: object) => {
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) })
    const text = await answer.text()
    return JSON.parse(text.startsWith('{') ? text : /^data: ?(.*)$/m.exec(text)![1]!)
  }
  return { url, headers, ask, reads, failures }
}

const messageOf = (method: string, params?: unknown) => ({ jsonrpc: '2.0', id: 1, method, params })
const callOf = (name: string, args: unknown = {}) => messageOf('tools/call', { name, arguments: args })

test('the work of a call ends when its caller goes, and nothing is reported', async () => {
  const started = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<unknown>()
  const { url, headers, reads, failures } = await serve(async (signal) => {
    started.resolve()
    await once(signal, 'abort')
    ended.resolve(signal.reason)
    throw signal.reason
  })
  const caller = request(url, { method: 'POST', headers })
  caller.on('error', () => {})
  caller.end(JSON.stringify(callOf('list_recommendations')))
  await started.promise
  expect(reads.isBusy).toBe(true)
  caller.destroy()
  expect(await ended.promise).toMatchObject({ name: expect.stringMatching(/CallerGone|AbortError/) })
  expect(failures).toEqual([])
})

test.each([
  ['initialize', undefined],
  ['initialize', {}],
  ['tools/list', { cursor: 7 }],
  ['resources/list', { cursor: {} }],
  ['resources/read', undefined],
  ['resources/read', { uri: 7 }],
  ['tools/call', undefined],
  ['tools/call', { name: 7 }],
  ['tools/call', { name: 'nothing' }],
  ['tools/call', { name: '__proto__' }],
  ['tools/call', { name: 'constructor' }],
])('%s with the params %j has invalid params', async (method, params) => {
  const { ask, failures } = await serve()
  const { error } = await ask(messageOf(method, params))
  expect(error.code).toBe(-32602)
  expect(error.message).not.toContain('disabled')
  expect(failures).toEqual([])
})

test.each([
  ['namespace_sizes', { end_date: 'nonsense' }, 'end_date must be a time'],
  ['namespace_sizes', { end_date: '-999999-01-01T00:00:00Z' }, 'end_date must be a time'],
  ['namespace_sizes', { start_date: 'yesterday' }, 'start_date must be a time'],
  ['costs', { end_date: 'nonsense' }, 'end_date must be a time'],
  ['list_recommendations', { limit: 0 }, '/limit must be >= 1'],
  ['list_recommendations', { unknown: 0 }, '/unknown is not a known member'],
  ['price_instance', { provider: 7, region: null }, '/provider must be string'],
])('%s with %j says what is wrong', async (name, args, text) => {
  const { ask, failures } = await serve()
  const { result } = await ask(callOf(name, args))
  expect([result.isError, result.content[0].text]).toEqual([true, expect.stringContaining(text)])
  expect(failures).toEqual([])
})

test.each([
  [new StoreUnavailable('ECONNREFUSED 127.0.0.1'), 'The database cannot be reached'],
  [new Error('secret'), 'The service failed; try again later.'],
])(
  'a call that fails because of %s is reported to the operator, and says when to try again',
  async (error, text) => {
    const { ask, failures } = await serve(() => Promise.reject(error))
    const { result } = await ask(callOf('list_recommendations'))
    expect([result.isError, result.content[0].text]).toEqual([true, expect.stringContaining(text)])
    expect(failures).toEqual([error])
  },
)
