import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { offlinePricing } from '../src/cli/commands/pricing/offline-pricing.ts'
import { readSettings } from '../src/config.ts'
import { costsAnswer } from '../src/costs/report/costs-answer.ts'
import { parseCostsRequest } from '../src/costs/report/query.ts'
import { hourMs } from '../src/domain/time.ts'
import { parseSizesRequest } from '../src/recommendations/containers/query.ts'
import { sizesAnswer } from '../src/recommendations/containers/sizes-answer.ts'
import { sizesDeps } from '../src/server/wiring/sizes-part.ts'
import { openStore } from '../src/store/open.ts'
import { percentile } from './catalogue/measure.ts'
import { days, fillNamespaces, firstHour, organisation } from './namespaces/fill.ts'

// Measures costs by day and namespace, from the embedded database to JSON text, against namespace recommendations of
// the same window, which read the same digests and report the same spend, in one run.
//   node --expose-gc bench/costs.ts [containers] [rounds]
// Usage is taken from real traces; see bench/usage/traces.ts for where they are expected.

const containers = Number(process.argv[2] ?? 10_000)
const rounds = Number(process.argv[3] ?? 5)
const perNamespace = 50
const directory = mkdtempSync(join(tmpdir(), 'cheapside-bench-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))

const store = await openStore({ dataDirectory: directory })
await fillNamespaces(store.usage, containers, perNamespace)
const endMs = (firstHour + days * 24) * hourMs
const deps = sizesDeps(store, await offlinePricing(readSettings({})), () => endMs)
const window = {
  start_date: new Date(firstHour * hourMs).toISOString(),
  end_date: new Date(endMs).toISOString(),
}
const { signal } = new AbortController()

const costs = (group_by: string, step: string) => async () => {
  const query = parseCostsRequest({ ...window, group_by, step }, endMs, [])
  return costsAnswer({ ...deps, labels: [] }, organisation, query, 'json', signal)
}
const recommendations = async () => sizesAnswer(deps, organisation, parseSizesRequest(window), 'json', signal)

console.log(`${containers} containers, ${days} days, ${rounds} rounds`)
await measure('costs, node loads not cached', costs('namespace', 'day'), 1)
await measure('costs by day and namespace', costs('namespace', 'day'), rounds)
await measure('costs by day and workload', costs('workload', 'day'), 1)
await measure('namespace recommendations', recommendations, rounds)
await store.close()

async function measure(
  name: string,
  ask: () => Promise<{ readonly pieces: AsyncIterable<string | Uint8Array> }>,
  times: number,
): Promise<void> {
  const ms: number[] = []
  const cpuBefore = process.cpuUsage()
  let [chars, highest] = [0, 0]
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  for (let round = 0; round < times; round++) {
    const start = performance.now()
    chars = 0
    const { pieces } = await ask()
    for await (const piece of pieces) {
      chars += piece.length
      highest = Math.max(highest, process.memoryUsage().rss)
    }
    ms.push(performance.now() - start)
  }
  const { user, system } = process.cpuUsage(cpuBefore)
  ms.sort((a, b) => a - b)
  const grown = Math.round((highest - before) / 2 ** 20)
  const resident = Math.round(highest / 2 ** 20)
  console.log(
    `${name}: p50 ${percentile(ms, 50).toFixed(0)} ms, CPU of all threads ${((user + system) / 1e6 / times).toFixed(2)} s each, ${chars} characters, ${grown} MiB more, ${resident} MiB resident`,
  )
}
