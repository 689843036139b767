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
import { learn } from '../src/wiring/learning-thread.ts'
import { sizesDeps } from '../src/wiring/sizes-part.ts'
import { percentile } from './catalogue/measure.ts'
import { days, fillNamespaces, firstHour, organisation } from './namespaces/fill.ts'

// How much work namespace recommendations are, from the embedded database to JSON text, without HTTP: CPU time of the whole
// process, so with the database's thread and all that V8 does beside; and how long they take.
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

const hourMs = 3_600_000
const endHour = firstHour + days * 24
let now = endHour * hourMs
const pricing = await offlinePricing(readSettings({}))
const newDeps = () => sizesDeps(store, pricing, () => now)
let deps = newDeps()

interface Question {
  /** Undefined: all. */
  readonly namespace?: string
  /** Hours by which the window begins later, and ends sooner, than all there is. */
  readonly later?: number
  readonly sooner?: number
}

async function answer({ namespace, later = 0, sooner = 0 }: Question) {
  const query = parseRequest({
    start_date: new Date((firstHour + later) * hourMs).toISOString(),
    end_date: new Date((endHour - sooner) * hourMs).toISOString(),
    profile,
    namespace,
    cluster: namespace && 'bench',
  })
  const { namespaces } = await recommendSizes(deps, organisation, query)
  let chars = 0
  for await (const piece of writeAnswer(namespaces, now)) chars += piece.length
  return { chars, containers: namespaces.reduce((sum, one) => sum + one.containers.length, 0) }
}

async function measure(name: string, rounds: number, questionOf: (round: number) => Question) {
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
    const question = questionOf(round)
    const start = performance.now()
    const used = process.cpuUsage()
    last = await answer(question)
    const { user, system } = process.cpuUsage(used)
    wall.push(performance.now() - start)
    cpu.push((user + system) / 1000)
  }
  delay.disable()
  clearInterval(watch)
  const [sorted, work] = [wall.sort((a, b) => a - b), cpu.sort((a, b) => a - b)]
  console.log(
    `${name}: ${last.containers} containers, ${(last.chars / 1e6).toFixed(2)} MB of JSON; ` +
      `work p50 ${seconds(percentile(work, 50))}, p90 ${seconds(percentile(work, 90))}, p99 ${seconds(percentile(work, 99))}, ` +
      `at best ${seconds(work[0]!)}; time p50 ${seconds(percentile(sorted, 50))}, p99 ${seconds(percentile(sorted, 99))}; ` +
      `others wait p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms, at most ${(delay.max / 1e6).toFixed(1)} ms; ` +
      `memory +${mib(heap - before.heapUsed - before.arrayBuffers)}, resident ${mib(rss)}`,
  )
}

const namespaceOf = (round: number) => `ns-${String(round % (containers / perNamespace)).padStart(4, '0')}`
let windows = 0
/** Of a window that was not asked about before: 23 starts, 24 ends. */
function anew(round: number): Question {
  windows++
  return { namespace: namespaceOf(round), later: windows % 23, sooner: windows % 24 }
}

async function measureOne(name: string) {
  await measure(`one namespace, ${name}, windows nobody asked about before`, 200, anew)
  await measure(`one namespace, ${name}, asked a minute later each time`, 100, (round) => {
    now += 61_000
    return { namespace: namespaceOf(round) }
  })
}

await measure('all namespaces, nothing known of the nodes yet', 1, () => ({}))
await measure('all namespaces', containers > 2000 ? 3 : 5, () => ({}))
await measureOne('nothing learnt yet')
await measure('one namespace, nothing learnt yet, nothing known of the nodes either', 10, (round) => {
  deps = newDeps()
  return anew(round)
})

const learning = process.cpuUsage()
const work = { organisation, dataFolder: folder, databaseUrl: '', mostSeries: 600, learntAt: now }
await learn({ ...work, hours: { from: firstHour, to: endHour } }, new AbortController().signal)
const { user, system } = process.cpuUsage(learning)
console.log(`learnt on a thread, as the service does once a day: ${seconds((user + system) / 1000)} of work`)
deps = newDeps()
await measure('all namespaces, learnt', 1, () => ({}))
await measureOne('learnt')
await store.close()

function seconds(ms: number): string {
  return ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms.toFixed(1)} ms`
}

function mib(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`
}
