import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { filledDirectory, serviceOn } from './namespaces/filled-service.ts'

// Measures the memory for one large answer: recommendations for all namespaces of a cluster, not requested before, as
// NDJSON. The service is a separate process. Its resident memory is read before the request and ten times a second
// until the last byte.
//   node bench/streamed.ts [--containers 100000] [--days 7] [--heap 1024]
// Usage is taken from real traces; see bench/usage/traces.ts for where they are expected.

const { values } = parseArgs({
  options: {
    containers: { type: 'string', default: '100000' },
    days: { type: 'string', default: '7' },
    heap: { type: 'string', default: '1024' },
  },
})
const [containers, days] = [Number(values.containers), Number(values.days)]
const filled = await filledDirectory(containers, days)
const { service, key } = await serviceOn(filled, Number(values.heap))
try {
  const before = residentMib()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, residentMib())
  }, 100)
  const startedMs = performance.now()
  const { lines, bytes } = await readAll()
  clearInterval(watch)
  console.log(
    `${containers} containers of ${days} days: ${lines} namespaces, ${(bytes / 1e6).toFixed(0)} MB of NDJSON in ` +
      `${((performance.now() - startedMs) / 1000).toFixed(1)} s; resident ${before} MiB before, ${most} MiB at most: +${most - before} MiB`,
  )
} finally {
  await service.stop()
}

async function readAll(): Promise<{ lines: number; bytes: number }> {
  const answer = await fetch(`${service.url}/v1/namespace_recommendations?${filled.window}`, {
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
