import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { offlinePricing } from '../src/cli/commands/offline-pricing.ts'
import { readSettings } from '../src/config.ts'
import { parseRequest } from '../src/operations/recommend-sizes/query.ts'
import { recommendSizes } from '../src/operations/recommend-sizes/recommend-sizes.ts'
import { writeAnswer } from '../src/operations/recommend-sizes/write-answer.ts'
import { openStore } from '../src/store/open.ts'
import { sizesDeps } from '../src/wiring/sizes-part.ts'
import { percentile } from './catalogue/measure.ts'
import { days, fillNamespaces, firstHour, organisation } from './namespaces/fill.ts'

// How long namespace recommendations take, from the embedded database to JSON text, without HTTP.
//   node --expose-gc bench/namespaces.ts [containers] [profile]
// Usage is that of real traces; see bench/usage/traces.ts for where they are looked for.

const containers = Number(process.argv[2] ?? 10_000)
const profile = process.argv[3]
const perNamespace = 50
const folder = mkdtempSync(join(tmpdir(), 'cheapside-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const store = await openStore({ dataFolder: folder })
const started = performance.now()
await fillNamespaces(store.usage, containers, perNamespace)
console.log(`${containers} containers of ${days} days written in ${seconds(performance.now() - started)}`)

const now = () => (firstHour + days * 24) * 3_600_000
const deps = sizesDeps(store, await offlinePricing(readSettings({})), now)
const window = {
  start_date: new Date(firstHour * 3_600_000).toISOString(),
  end_date: new Date(now()).toISOString(),
  profile,
}

async function answer(namespace?: string): Promise<{ chars: number; containers: number }> {
  const query = parseRequest({ ...window, namespace, cluster: namespace && 'bench' })
  const { namespaces } = await recommendSizes(deps, organisation, query)
  let chars = 0
  for await (const piece of writeAnswer(namespaces, now())) chars += piece.length
  return { chars, containers: namespaces.reduce((sum, one) => sum + one.containers.length, 0) }
}

async function measure(name: string, rounds: number, namespaceOf: (round: number) => string | undefined) {
  globalThis.gc?.()
  const wall: number[] = []
  const cpu: number[] = []
  const before = process.memoryUsage()
  let [heap, rss] = [0, 0]
  const watch = setInterval(() => {
    const memory = process.memoryUsage()
    heap = Math.max(heap, memory.heapUsed + memory.arrayBuffers)
    rss = Math.max(rss, memory.rss)
  }, 20)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  let last = { chars: 0, containers: 0 }
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    const used = process.threadCpuUsage()
    last = await answer(namespaceOf(round))
    const { user, system } = process.threadCpuUsage(used)
    wall.push(performance.now() - start)
    cpu.push((user + system) / 1000)
  }
  delay.disable()
  clearInterval(watch)
  const [sorted, work] = [wall.sort((a, b) => a - b), cpu.sort((a, b) => a - b)]
  console.log(
    `${name}: ${last.containers} containers, ${(last.chars / 1e6).toFixed(2)} MB of JSON; ` +
      `p50 ${seconds(percentile(sorted, 50))}, p99 ${seconds(percentile(sorted, 99))}; ` +
      `work on this thread p50 ${seconds(percentile(work, 50))}, p99 ${seconds(percentile(work, 99))}; ` +
      `others wait p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms, at most ${(delay.max / 1e6).toFixed(1)} ms; ` +
      `memory +${mib(heap - before.heapUsed - before.arrayBuffers)}, resident ${mib(rss)}`,
  )
}

await measure('all namespaces, nothing known of the nodes yet', 1, () => undefined)
await measure('all namespaces', containers > 2000 ? 3 : 5, () => undefined)
await measure(
  'one namespace',
  100,
  (round) => `ns-${String(round % (containers / perNamespace)).padStart(4, '0')}`,
)
await store.close()

function seconds(ms: number): string {
  return ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms.toFixed(1)} ms`
}

function mib(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`
}
