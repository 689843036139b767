import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ask, eventually, startService } from '../test/service.ts'
import { percentile } from './catalogue/measure.ts'

// Measures how calls of assistants that are given up slow down the others: callers of one organisation with the demo data
// close their connections shortly after they have sent a call of /mcp, while another one requests /healthz and a price.
//   node bench/aborted-calls.ts [--calls 150] [--after 30]
// It prints the same for a quiet service first, because the figures depend on what else the machine does.

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '150' }, after: { type: 'string', default: '30' } },
})
const [calls, afterMs] = [Number(values.calls), Number(values.after)]
const service = await startService({ env: { CHEAPSIDE_RATE_LIMIT: '0', CHEAPSIDE_ADDRESS_LIMIT: '0' } })
try {
  const { key } = (await service.request('/admin/demo', { method: 'POST' })).json
  await eventually(async () => (await service.request('/admin/demo')).json.loaded_until !== null)
  const period = { start_date: daysAgo(28), end_date: daysAgo(0) }
  const tools: readonly [name: string, args: object][] = [
    ['list_recommendations', { limit: 100 }],
    ['namespace_sizes', { cluster: 'production', ...period }],
    ['costs', { group_by: 'workload', ...period }],
    ['cluster_nodes', { cluster: 'production' }],
    ['compare_machine', { provider: 'aws', region: 'us-east-1', instance_type: 'm5.xlarge' }],
  ]
  for (const [name, args] of tools) {
    const { status, text } = await call(name, args)
    console.log(
      `${name}: ${status}, ${text.length} bytes${/"isError":true|"error":/.test(text) ? `: ${text.slice(0, 300)}` : ''}`,
    )
  }
  await measure('quiet', async () => pause(5_000))
  await measure(`${calls} calls, each given up after ${afterMs} ms`, async () => {
    let answered = 0
    for (let n = 0; n < calls; n++) {
      const [name, args] = tools[n % tools.length]!
      void call(name, args, AbortSignal.timeout(afterMs)).then(
        () => answered++,
        () => {},
      )
      await pause(afterMs)
    }
    await pause(2_000)
    console.log(`${answered} of them were answered before`)
  })

  async function call(name: string, args: object, signal: AbortSignal | null = null) {
    const response = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      signal,
      headers: {
        'x-api-key': key,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      }),
    })
    return { status: response.status, text: await response.text() }
  }
} finally {
  await service.stop()
}

async function measure(what: string, work: () => Promise<void>): Promise<void> {
  let isOver = false
  const machine = {
    provider: 'aws',
    region: 'us-east-1',
    instance_type: 'm5.large',
    operating_system: 'Linux',
    usage_type: 'ondemand',
  }
  const asks = {
    '/healthz': () => ask(service.url, '/healthz'),
    '/pricing': () => service.request('/pricing', { body: machine }),
  }
  const watching = Object.entries(asks).map(async ([path, once]) => {
    const tookMs: number[] = []
    while (!isOver) {
      const startedMs = performance.now()
      const { status } = await once()
      if (status !== 200) throw new Error(`${path} answered ${status}`)
      tookMs.push(performance.now() - startedMs)
      await pause(5)
    }
    tookMs.sort((a, b) => a - b)
    const at = (p: number) => percentile(tookMs, p).toFixed(1)
    return `${path} p50 ${at(50)} ms, p99 ${at(99)} ms, longest ${at(100)} ms of ${tookMs.length}`
  })
  await work()
  isOver = true
  console.log(`${what}: ${(await Promise.all(watching)).join('; ')}`)
}

function daysAgo(days: number): string {
  return new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - days * 86_400_000).toISOString()
}
