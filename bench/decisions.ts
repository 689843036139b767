import '../src/runtime/v8-flags.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { offlinePricing } from '../src/cli/commands/pricing/offline-pricing.ts'
import { readSettings } from '../src/config.ts'
import { decideSizes } from '../src/decisions/decide-day.ts'
import { hourMs } from '../src/domain/time.ts'
import { parseSizesRequest } from '../src/recommendations/containers/query.ts'
import { sizesAnswer } from '../src/recommendations/containers/sizes-answer.ts'
import { sizesDeps } from '../src/server/wiring/sizes-part.ts'
import { openStore } from '../src/store/open.ts'
import { days, fillNamespaces, firstHour, organisation } from './namespaces/fill.ts'

// Measures the daily job and the reading of decisions, on the embedded database and without HTTP. CPU time is that of the
// whole process, including the database thread and V8's own threads.
//   node bench/decisions.ts [containers]
// Usage is taken from real traces; see bench/usage/traces.ts for where they are expected.

const containers = Number(process.argv[2] ?? 10_000)
const perNamespace = 50
const directory = mkdtempSync(join(tmpdir(), 'cheapside-bench-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))

const store = await openStore({ dataDirectory: directory })
await fillNamespaces(store.usage, containers, perNamespace)
const endHour = firstHour + days * 24
const nowMs = (endHour + 1) * hourMs
const pricing = await offlinePricing(readSettings({}))
const deps = { ...sizesDeps(store, pricing, () => nowMs), store }
const { signal } = new AbortController()

await measure('the daily job, which also looks for changes', () => decideSizes(deps, organisation, signal))
await measure('the job an hour later', () => decideSizes(deps, organisation, signal))
const place = { kind: 'container', cluster: 'bench', namespace: 'ns-0000' } as const
const range = { from: Math.floor(endHour / 24) - 2, to: Math.floor(endHour / 24) + 1 }
const [namespace] = JSON.parse(await text({ namespace: 'ns-0000', cluster: 'bench' }))
const keys = Object.keys(namespace.ContainerRecommendations)
const stored = await store.decisions.read(organisation, place, keys, range)
const bytes = stored.map((decision) => decision.bytes.length).filter((length) => length > 0)
console.log(
  `a decision takes ${Math.round(bytes.reduce((sum, length) => sum + length, 0) / bytes.length)} bytes`,
)

for (const window of [14, 13.5, 7, 29])
  await measure(`all namespaces, a window of ${window} days`, () => text({}, window))
for (const round of [1, 2, 3, 4, 5])
  await measure(`one namespace of ${perNamespace}, window ${round}`, () =>
    text({ namespace: `ns-000${round}`, cluster: 'bench' }, 14 + round / 24),
  )
await store.close()

async function text(asked: { namespace?: string; cluster?: string }, window = 14): Promise<string> {
  const query = parseSizesRequest({
    start_date: new Date((endHour - window * 24) * hourMs).toISOString(),
    end_date: new Date(endHour * hourMs).toISOString(),
    ...asked,
  })
  const { pieces } = await sizesAnswer(deps, organisation, query, 'json', signal)
  return (await Array.fromAsync(pieces)).join('')
}

async function measure(name: string, work: () => Promise<unknown>): Promise<void> {
  const [start, used] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(used)
  console.log(
    `${name}: ${((user + system) / 1e6).toFixed(3)} s of CPU, ${((performance.now() - start) / 1000).toFixed(3)} s`,
  )
}
