import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningService, runCommand, startService } from './service.ts'

const names = ['compare_machine', 'find_instance_types', 'price_instance', 'review_plan']
const machine = { provider: 'aws', region: 'us-east-1', instance_type: 'm5.xlarge' }

let service: RunningService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

const transports = {
  stdio: () =>
    new StdioClientTransport({
      command: process.execPath,
      args: [join(import.meta.dirname, '../bin/cheapside.js'), 'mcp'],
      env: { PATH: process.env.PATH! },
    }),
  http: (key = service.key) =>
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
      requestInit: { headers: { 'x-api-key': key } },
    }),
}

describe.each(['stdio', 'http'] as const)('over %s', (kind) => {
  let client: Client
  beforeAll(async () => {
    client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(transports[kind]())
  })
  afterAll(() => client.close())
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  const call = async (name: string, args: Record<string, unknown>): Promise<any> =>
    client.callTool({ name, arguments: args })

  test('lists tools that only read, with schemas of both sides', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual(names)
    for (const each of tools) {
      expect(each.annotations?.readOnlyHint).toBe(true)
      expect(each.inputSchema.type).toBe('object')
      expect(each.outputSchema?.type).toBe('object')
    }
  })

  test('price_instance', async () => {
    const { structuredContent, content } = await call('price_instance', machine)
    expect(structuredContent).toMatchObject({ cost_per_hour: 0.192, cpu_cores: 4, ram_gb: 16 })
    expect(content[0].text).toContain('$0.192 an hour for 4 cores and 16 GiB')
  })

  test('compare_machine', async () => {
    const { structuredContent, content } = await call('compare_machine', {
      ...machine,
      usage: { cpu_cores: 1.5, ram_gb: 6 },
    })
    expect(structuredContent.current.cost_per_hour).toBe(0.192)
    expect(structuredContent.options.length).toBeGreaterThan(1)
    expect(content[0].text).toMatch(/^AWS m5\.xlarge in us-east-1: \$140\.16 a month\nresize: AWS /)
  })

  test('find_instance_types', async () => {
    const { structuredContent } = await call('find_instance_types', {
      min_cores: 8,
      provider: 'hetzner',
      limit: 3,
    })
    expect(structuredContent.types).toHaveLength(3)
    for (const type of structuredContent.types) expect(type.cpu_cores).toBeGreaterThanOrEqual(8)
  })

  test('review_plan', async () => {
    const after = { instance_type: 'm5.xlarge', availability_zone: 'us-east-1a' }
    const plan = {
      format_version: '1.2',
      resource_changes: [
        {
          address: 'aws_instance.a',
          type: 'aws_instance',
          change: { actions: ['create'], before: null, after },
        },
      ],
    }
    const { structuredContent } = await call('review_plan', { plan })
    expect(structuredContent.totals.difference_per_month).toBe(140.16)
  })

  test('a problem is told as text, and wrong arguments are refused', async () => {
    const unknown = await call('price_instance', { ...machine, instance_type: 'm5.xlrage' })
    expect(unknown.isError).toBe(true)
    expect(unknown.content[0].text).toContain('m5.xlarge')
    const wrong = await call('price_instance', { ...machine, region: 7 }).catch((error: Error) => ({
      isError: true,
      content: [{ text: error.message }],
    }))
    expect(wrong.isError).toBe(true)
  })
})

test('over HTTP the same keys hold', async () => {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await expect(client.connect(transports.http('csk_wrong'))).rejects.toThrow()
  expect((await service.request('/mcp')).status).toBe(405)
})

test('what is no message is refused', async () => {
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
    const { status } = await service.request('/mcp', {
      body,
      headers: { accept: 'application/json, text/event-stream' },
    })
    expect([JSON.stringify(body), status]).toEqual([
      JSON.stringify(body),
      expect.toSatisfy((code) => code < 500),
    ])
  }
  for (const body of ['null', '7', '[]', JSON.stringify(Array(1000).fill(call(machine)))]) {
    const { status, json } = await service.request('/mcp', {
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect([status, json.code]).toEqual([422, 'invalid'])
  }
})

test('standard input that is empty ends it without a word', async () => {
  expect(await runCommand(['mcp'])).toEqual({ code: 0, out: '', err: '' })
})
