import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { offlinePricing } from '../src/cli/commands/pricing/offline-pricing.ts'
import { readSettings } from '../src/config.ts'
import { recommendationDays } from '../src/domain/recommendation.ts'
import { hourMs } from '../src/domain/time.ts'
import { parseSizesRequest } from '../src/recommendations/containers/query.ts'
import { sizesAnswer } from '../src/recommendations/containers/sizes-answer.ts'
import { listRecommendations } from '../src/recommendations/list/list-recommendations.ts'
import { parseListRequest } from '../src/recommendations/list/query.ts'
import { machinesDeps } from '../src/server/wiring/machines-part.ts'
import { recommendationDeps } from '../src/server/wiring/recommendations-part.ts'
import { sizesDeps } from '../src/server/wiring/sizes-part.ts'
import { openStore } from '../src/store/open.ts'
import { fillNamespaces, firstHour, organisation } from './namespaces/fill.ts'

// Measures the list of recommendations, made and read, against namespace recommendations of the same window in one run. CPU time
// is that of the whole process, including the database thread and V8's own threads.
//   node --expose-gc bench/recommendation-list.ts [containers] [per namespace]
// Usage is taken from real traces; see bench/usage/traces.ts for where they are expected.

const containers = Number(process.argv[2] ?? 10_000)
const perNamespace = Number(process.argv[3] ?? 50)
const directory = mkdtempSync(join(tmpdir(), 'cheapside-bench-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))

const store = await openStore({ dataDirectory: directory })
await fillNamespaces(store.usage, containers, perNamespace, { days: recommendationDays, firstHour })
const endMs = (firstHour + recommendationDays * 24) * hourMs
const now = () => endMs - 1
const pricing = await offlinePricing(readSettings({}))
const sizes = sizesDeps(store, pricing, now)
const deps = recommendationDeps({ store, now, sizes, machines: machinesDeps(store, now, pricing) })
const { signal } = new AbortController()
const list = async (limit: number) => {
  const page = await listRecommendations(deps, organisation, parseListRequest({ limit }), signal)
  return JSON.stringify(page).length
}
const namespaces = async () => {
  const window = {
    start_date: new Date(firstHour * hourMs).toISOString(),
    end_date: new Date(endMs).toISOString(),
  }
  const { pieces } = await sizesAnswer(sizes, organisation, parseSizesRequest(window), 'json', signal)
  let chars = 0
  for await (const piece of pieces) chars += piece.length
  return chars
}

console.log(`${containers} containers, ${recommendationDays} days, ${perNamespace} a namespace`)
await measure('namespace recommendations, node loads not cached', namespaces)
await measure('namespace recommendations', namespaces)
await measure('recommendations, made and stored for the first time', () => list(100))
for (const limit of [1, 100, 100, 100, 1000])
  await measure(`recommendations, ${limit} read`, () => list(limit))
await store.close()

async function measure(name: string, ask: () => Promise<number>): Promise<void> {
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let highest = before
  const look = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage().rss)
  }, 20)
  const [start, used] = [performance.now(), process.cpuUsage()]
  const chars = await ask()
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(used)
  clearInterval(look)
  const mib = (bytes: number) => Math.round(bytes / 2 ** 20)
  console.log(
    `${name}: ${((user + system) / 1000).toFixed(0)} ms of CPU, ${ms.toFixed(0)} ms, ${chars} characters, ${mib(highest - before)} MiB more, ${mib(highest)} MiB resident`,
  )
}
