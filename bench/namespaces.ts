import { text } from 'node:stream/consumers'
import { hourMs } from '../src/domain/time.ts'
import '../src/runtime/v8-flags.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { offlinePricing } from '../src/cli/commands/pricing/offline-pricing.ts'
import { readSettings } from '../src/config.ts'
import { parseSizesRequest } from '../src/recommendations/containers/query.ts'
import { sizesAnswer } from '../src/recommendations/containers/sizes-answer.ts'
import { sizesDeps } from '../src/server/wiring/sizes-part.ts'
import { trainInThread } from '../src/server/wiring/training-thread.ts'
import { openStore } from '../src/store/open.ts'
import { percentile } from './catalogue/measure.ts'
import { days, fillNamespaces, firstHour, organisation } from './namespaces/fill.ts'

// Measures namespace recommendations from the embedded database to JSON text, without HTTP: duration, and CPU time of
// the whole process, including the database thread and V8's own threads.
//   node --expose-gc bench/namespaces.ts [containers] [profile]
// Usage is taken from real traces; see bench/usage/traces.ts for where they are expected.

const containers = Number(process.argv[2] ?? 10_000)
const profile = process.argv[3]
const perNamespace = 50
const directory = mkdtempSync(join(tmpdir(), 'cheapside-bench-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))

const store = await openStore({ dataDirectory: directory })
const started = performance.now()
await fillNamespaces(store.usage, containers, perNamespace)
console.log(`${containers} containers of ${days} days written in ${seconds(performance.now() - started)}`)

const endHour = firstHour + days * 24
let now = endHour * hourMs
const pricing = await offlinePricing(readSettings({}))
const newDeps = () => sizesDeps(store, pricing, () => now)
let deps = newDeps()

interface Question {
  /** Undefined for all namespaces. */
  readonly namespace?: string
  /** Hours by which the window begins later, and ends earlier, than the stored usage. */
  readonly later?: number
  readonly sooner?: number
}

async function answer({ namespace, later = 0, sooner = 0 }: Question) {
  const query = parseSizesRequest({
    start_date: new Date((firstHour + later) * hourMs).toISOString(),
    end_date: new Date((endHour - sooner) * hourMs).toISOString(),
    profile,
    namespace,
    cluster: namespace && 'bench',
  })
  const { pieces } = await sizesAnswer(deps, organisation, query, 'json', new AbortController().signal)
  const answer = await text(pieces)
  return { chars: answer.length, containers: answer.split('"NewSpend"').length - 1 }
}

/** Measures CPU time and duration of each question. */
async function ask(rounds: number, questionOf: (round: number) => Question) {
  const [time, work]: [number[], number[]] = [[], []]
  let last = { chars: 0, containers: 0 }
  for (let round = 0; round < rounds; round++) {
    const question = questionOf(round)
    const start = performance.now()
    const used = process.cpuUsage()
    last = await answer(question)
    const { user, system } = process.cpuUsage(used)
    time.push(performance.now() - start)
    work.push((user + system) / 1000)
  }
  const of = (name: string, all: number[]) => {
    all.sort((a, b) => a - b)
    const [p50, p90, p99] = [50, 90, 99].map((p) => seconds(percentile(all, p)))
    return `${name} p50 ${p50}, p90 ${p90}, p99 ${p99}, at best ${seconds(all[0]!)}`
  }
  return `${last.containers} containers, ${(last.chars / 1e6).toFixed(2)} MB of JSON; ${of('work', work)}; ${of('time', time)}`
}

/** Also measures event loop delay and memory. Sampling them adds a little work of its own. */
async function measureAll(name: string, rounds: number) {
  globalThis.gc?.()
  const before = process.memoryUsage()
  let [heap, rss] = [0, 0]
  const watch = setInterval(() => {
    const memory = process.memoryUsage()
    heap = Math.max(heap, memory.heapUsed + memory.arrayBuffers)
    rss = Math.max(rss, memory.rss)
  }, 20)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const figures = await ask(rounds, () => ({}))
  delay.disable()
  clearInterval(watch)
  console.log(
    `${name}: ${figures}; others wait p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms, at most ${(delay.max / 1e6).toFixed(1)} ms; ` +
      `memory +${mib(heap - before.heapUsed - before.arrayBuffers)}, resident ${mib(rss)}`,
  )
}

const namespaceOf = (round: number) => `ns-${String(round % (containers / perNamespace)).padStart(4, '0')}`
let windows = 0
/** Returns a window that was not requested before; 552 such windows exist: 23 starts, 24 ends. */
function newWindow(round: number): Question {
  windows++
  return { namespace: namespaceOf(round), later: windows % 23, sooner: windows % 24 }
}

async function measureOne(name: string) {
  globalThis.gc?.()
  // A service runs code that is already optimised, so the first rounds are not measured.
  await ask(200, newWindow)
  console.log(`one namespace, ${name}, windows nobody asked about before: ${await ask(200, newWindow)}`)
  const later = (round: number): Question => {
    now += 61_000
    return { namespace: namespaceOf(round) }
  }
  console.log(`one namespace, ${name}, asked a minute later each time: ${await ask(100, later)}`)
}

await measureAll('all namespaces, nothing known of the nodes yet', 1)
await measureAll('all namespaces', containers > 2000 ? 3 : 5)
await measureOne('no model trained yet')
const unknown = (round: number): Question => {
  deps = newDeps()
  return newWindow(round)
}
console.log(`one namespace, nothing known of the nodes of the cluster: ${await ask(10, unknown)}`)

const training = process.cpuUsage()
const work = { organisation, store: { dataDirectory: directory }, maxSeries: 600, trainedAt: now }
await trainInThread({ ...work, hours: { from: firstHour, to: endHour } }, new AbortController().signal)
const { user, system } = process.cpuUsage(training)
console.log(`trained on a thread, as the service does once a day: ${seconds((user + system) / 1000)} of work`)
deps = newDeps()
await measureAll('all namespaces, with a trained model', 1)
await measureOne('with a trained model')
await store.close()

function seconds(ms: number): string {
  return ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms.toFixed(1)} ms`
}

function mib(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`
}
