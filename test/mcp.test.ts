import { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { machine, onStdio, serviceForAssistants, testAssistant } from './mcp.case.ts'
import { runProcess } from './service.ts'

const assistants = serviceForAssistants()
const { transports } = assistants

testAssistant('stdio', transports.stdio, false)
testAssistant('stdio to a service', transports['stdio to a service'], false)
testAssistant('http', transports.http, true)

test('usage needs its own scope, and a missing database is reported', async () => {
  const issued = await assistants.service.request('/admin/keys', {
    body: { organisation: 'acme', name: 'assistant', scopes: ['pricing:read'] },
  })
  const told = { http: 'lacks the scope gateway:read', stdio: 'no usage history' }
  for (const [transport, text] of [
    [transports.http(issued.json.key), told.http],
    [onStdio({ CHEAPSIDE_DATA: '/nowhere/never-made' }), told.stdio],
  ] as const) {
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(transport)
    for (const name of ['namespace_sizes', 'costs', 'list_recommendations']) {
      const { isError, content } = await client.callTool({ name, arguments: {} })
      expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining(text)])
    }
    await client.close()
  }
})

test('over HTTP a valid key is required', async () => {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await expect(client.connect(transports.http('csk_wrong'))).rejects.toThrow()
  expect((await assistants.service.request('/mcp')).status).toBe(405)
})

test('a body that is not a message is refused', async () => {
  const call = (args: unknown) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'price_instance', arguments: args },
  })
  const bodies: unknown[] = [
    {},
    { jsonrpc: '2.0', id: 1, method: 'nonsense' },
    { id: {} },
    call(7),
    call({ provider: 'a\u0000' }),
  ]
  for (const body of bodies) {
    const { status } = await assistants.service.request('/mcp', {
      body,
      headers: { accept: 'application/json, text/event-stream' },
    })
    expect([JSON.stringify(body), status]).toEqual([
      JSON.stringify(body),
      expect.toSatisfy((code) => code < 500),
    ])
  }
  for (const body of ['null', '7', '[]', JSON.stringify(Array(1000).fill(call(machine)))]) {
    const { status, json } = await assistants.service.request('/mcp', {
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect([status, json.code]).toEqual([422, 'invalid'])
  }
  // Nothing failed here, so nothing is reported to the operator.
  expect(assistants.service.output.err).not.toContain('an MCP tool failed')
})

test('empty standard input ends it without output', async () => {
  expect(await runProcess(['mcp'])).toEqual({ code: 0, out: '', err: '' })
})
