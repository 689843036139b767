import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pushTestCluster } from './console/test-cluster.ts'
import { type RunningService, startService } from './service.ts'

const names = [
  'cluster_nodes',
  'compare_machine',
  'costs',
  'explain_recommendation',
  'find_instance_types',
  'list_recommendations',
  'list_volumes',
  'namespace_sizes',
  'plan_cluster',
  'price_instance',
  'review_plan',
]
export const machine = { provider: 'aws', region: 'us-east-1', instance_type: 'm5.xlarge' }

/** A service with a cluster, for the tests of a file, and the ways in which assistants reach it. */
export function serviceForAssistants() {
  let service: RunningService
  beforeAll(async () => {
    service = await startService()
    await pushTestCluster(service, service.key)
  })
  afterAll(() => service?.stop())
  return {
    get service() {
      return service
    },
    transports: {
      stdio: () => onStdio({ CHEAPSIDE_DATA: service.directory }),
      'stdio to a service': () =>
        onStdio({
          CHEAPSIDE_SERVER: service.url,
          CHEAPSIDE_KEY: service.key,
          CHEAPSIDE_DATA: '/nowhere/never-made',
        }),
      http: (key = service.key) =>
        new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
          requestInit: { headers: { 'x-api-key': key } },
        }),
    },
  }
}

export const onStdio = (env: Record<string, string>) =>
  new StdioClientTransport({
    command: process.execPath,
    args: [join(import.meta.dirname, '../bin/cheapside.js'), 'mcp'],
    env: { PATH: process.env.PATH!, ...env },
  })

type Transport = Parameters<Client['connect']>[0]

/** Without every tool: only that all are listed and that one answers. */
export function testAssistant(kind: string, transport: () => Transport, withEveryTool: boolean): void {
  describe(`over ${kind}`, () => {
    let client: Client
    beforeAll(async () => {
      client = new Client({ name: 'test', version: '1.0.0' })
      await client.connect(transport())
    })
    afterAll(() => client.close())
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    const call = async (name: string, args: Record<string, unknown>): Promise<any> =>
      client.callTool({ name, arguments: args })

    test('lists read-only tools, with schemas of input and output', async () => {
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

    if (!withEveryTool) return

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
      plan.resource_changes[0]!.change.after.availability_zone = ''
      const { structuredContent: elsewhere } = await call('review_plan', {
        plan,
        regions: { aws: 'eu-west-1' },
      })
      expect(elsewhere.changes[0].after.machines[0].region).toBe('eu-west-1')
    })

    test('plan_cluster and cluster_nodes', async () => {
      const pods = [{ name: 'web', cpu_cores: 1, memory_gib: 2, count: 20 }]
      const planned = await call('plan_cluster', { ...machine, pods })
      expect(planned.structuredContent).toMatchObject({ plan: { pods: 20, pods_without_node: [] } })
      expect(planned.content).toMatchObject([{ text: expect.stringContaining('m5.xlarge') }])
      const { structuredContent } = await call('cluster_nodes', {})
      expect(structuredContent).toMatchObject({ clusters: [{ cost_per_month: {} }] })
    })

    test('namespace_sizes', async () => {
      const { structuredContent, content } = await call('namespace_sizes', { namespace: 'shop' })
      expect(structuredContent.namespaces).toHaveLength(1)
      expect(structuredContent.namespaces[0].ContainerRecommendations).toHaveProperty(['Deployment/web/app'])
      expect(content[0].text).toMatch(
        /^prod\/shop: \$[\d.]+ a month, could save \$[\d.-]+\n {2}Deployment\/web\/app: CPU 2 -> /,
      )
      const first = await call('namespace_sizes', { container_limit: 1 })
      expect(first.structuredContent.namespaces).toHaveLength(1)
      const rest = await call('namespace_sizes', { ...first.structuredContent.next, container_limit: 200 })
      expect(rest.structuredContent.namespaces.map((one: { Namespace: string }) => one.Namespace)).toEqual([
        'shop',
      ])
    })

    test('costs', async () => {
      const { structuredContent, content } = await call('costs', { group_by: 'workload', step: 'week' })
      expect(structuredContent.rows.map((row: { workload: string }) => row.workload)).toContain(
        'Deployment/web',
      )
      expect(content[0].text).toMatch(/^prod\/shop\/Deployment\/web: \$[\d.]+ from 2/m)
      expect(content[0].text).not.toContain('one page')
      const page = await call('costs', { step: 'hour', limit: 1 })
      expect(page.content[0].text).toMatch(/\nThis is one page: call again with the arguments in next\.$/)
      const wrong = await call('costs', { group_by: 'colour' })
      expect([wrong.isError, wrong.content[0].text]).toEqual([true, expect.stringContaining('group_by')])
    })

    test('list_recommendations, explain_recommendation', async () => {
      const { structuredContent, content } = await call('list_recommendations', {
        kind: 'container',
        limit: 1,
      })
      const [first] = structuredContent.recommendations
      expect(structuredContent.totals.count).toBeGreaterThan(1)
      expect(content[0].text).toContain(
        `recommendations, $${structuredContent.totals.savings.total_per_month.toFixed(2)} a month`,
      )
      expect(content[0].text).toContain(`${first.id} prod/${first.namespace}: Resize `)
      const explained = await call('explain_recommendation', { id: first.id })
      expect(explained.structuredContent.recommendation).toMatchObject({ id: first.id, title: first.title })
      expect(explained.content[0].text).toMatch(/^CPU is determined by [^:]+: [\d.]+ cores$/m)
      const rows = (await call('list_recommendations', { kind: 'machine' })).structuredContent.recommendations
      const machines = await call('explain_recommendation', { id: rows[0].id })
      expect(machines.content[0].text).toMatch(/^resize: \S+ in us-east-1, saves \$[\d.]+ a month$/m)
      const unknown = await call('explain_recommendation', { id: 'none' })
      expect([unknown.isError, unknown.content[0].text]).toEqual([true, 'No recommendation has this id.'])
    })

    test('list_volumes', async () => {
      const { structuredContent, content } = await call('list_volumes', { cluster: 'prod' })
      expect(structuredContent).toMatchObject({ volumes: [], totals: { count: 0, cost_per_month: 0 } })
      expect(content[0].text).toMatch(/^0 volumes cost \$0\.00 a month\. /)
      const wrong = await call('list_volumes', { state: 'lost' })
      expect([wrong.isError, wrong.content[0].text]).toEqual([true, expect.stringContaining('state')])
    })

    test('the documentation can be read', async () => {
      const { resources } = await client.listResources()
      const uris = resources.map(({ uri }) => uri)
      expect(uris).toContain('cheapside://docs/algorithms/rightsizing.md')
      expect(uris.some((uri) => uri.includes('/adr/'))).toBe(false)
      const { contents } = await client.readResource({ uri: 'cheapside://docs/how-to/size-containers.md' })
      expect(contents[0]).toMatchObject({
        mimeType: 'text/markdown',
        text: expect.stringMatching(/^# Size /),
      })
    })

    test('a problem is reported as text, and invalid arguments are refused', async () => {
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
}
