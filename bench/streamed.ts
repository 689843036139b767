import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { hourMs } from '../src/domain/time.ts'
import { openStore } from '../src/store/open.ts'
import { ask, eventually, startService } from '../test/service.ts'
import { fillNamespaces, organisation } from './namespaces/fill.ts'

// What one large answer costs in memory: recommendations for all namespaces of a cluster, never asked before, as NDJSON. The
// service is a process of its own; its resident memory is read before the question and ten times a second until the last byte.
//   node bench/streamed.ts [--containers 100000] [--days 7] [--heap 1024]
// Usage is that of real traces; see bench/usage/traces.ts for where they are looked for.

const { values } = parseArgs({
  options: {
    containers: { type: 'string', default: '100000' },
    days: { type: 'string', default: '7' },
    heap: { type: 'string', default: '1024' },
  },
})
const [containers, days] = [Number(values.containers), Number(values.days)]
const endHour = Math.floor(Date.now() / hourMs / 24) * 24
const folder = mkdtempSync(join(tmpdir(), 'cheapside-streamed-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const store = await openStore({ dataFolder: folder })
await fillNamespaces(store.usage, containers, 50, { days, firstHour: endHour - days * 24 })
await store.close()

const adminKey = `csk_${'b'.repeat(12)}_${'s'.repeat(32)}`
const service = await startService({
  folder,
  withoutKey: true,
  env: {
    NODE_OPTIONS: `--max-old-space-size=${values.heap}`,
    // As in the image and in the systemd unit.
    MALLOC_ARENA_MAX: '2',
    CHEAPSIDE_BOOTSTRAP_KEY: adminKey,
    CHEAPSIDE_RATE_LIMIT: '0',
    CHEAPSIDE_ADDRESS_LIMIT: '0',
  },
})
try {
  await eventually(async () => (await ask(service.url, '/readyz')).status === 200)
  const body = { organisation, name: 'bench', scopes: ['gateway:read'] }
  const { json } = await ask(service.url, '/admin/keys', { key: adminKey, body })
  const before = residentMib()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, residentMib())
  }, 100)
  const startedMs = performance.now()
  const { lines, bytes } = await readAll(json.key)
  clearInterval(watch)
  console.log(
    `${containers} containers of ${days} days: ${lines} namespaces, ${(bytes / 1e6).toFixed(0)} MB of NDJSON in ` +
      `${((performance.now() - startedMs) / 1000).toFixed(1)} s; resident ${before} MiB before, ${most} MiB at most: +${most - before} MiB`,
  )
} finally {
  await service.stop()
}

async function readAll(key: string): Promise<{ lines: number; bytes: number }> {
  const at = (hour: number) => encodeURIComponent(new Date(hour * hourMs).toISOString())
  const window = `start_date=${at(endHour - days * 24)}&end_date=${at(endHour)}`
  const answer = await fetch(`${service.url}/v1/namespace_recommendations?${window}`, {
    headers: { 'x-api-key': key, accept: 'application/x-ndjson' },
  })
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${await answer.text()}`)
  let [lines, bytes] = [0, 0]
  for await (const chunk of answer.body!) {
    bytes += chunk.length
    for (const byte of chunk) if (byte === 10) lines++
  }
  return { lines, bytes }
}

function residentMib(): number {
  const status = readFileSync(`/proc/${service.child.pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024)
}
