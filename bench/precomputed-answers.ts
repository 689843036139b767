import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { hourMs } from '../src/domain/time.ts'
import { defaultWindows, wholeDayWindows } from '../src/operations/warm-answers.ts'
import { ask, eventually, type RunningService } from '../test/service.ts'
import { fillMachines, processesPerMachine } from './machines/fill.ts'
import { organisation } from './namespaces/fill.ts'
import { filledDirectory, serviceOn } from './namespaces/filled-service.ts'

// Measures requests about the last days that nobody has sent before: to a service that has computed the answers in
// advance, to one that was killed and restarted, and, for comparison, for windows that it does not keep. Windows end now,
// or at the last midnight. Prints CPU time of all threads, and duration.
//   node bench/precomputed-answers.ts [containers] [machines] [starts]
// Usage is taken from real traces; see bench/usage/traces.ts for where they are expected.

const [containers = 10_000, machines = 100, starts = 5] = process.argv.slice(2).map(Number)
/** The kernel counts CPU time in steps of 10 ms, so several requests are averaged. */
const others = 20
/** Each start asks about other namespaces, after the first ones. */
const skipped = 7
const perStart = 1 + others
// The service keeps no answers about fewer processes.
const [minContainers, minMachines] = [50 * (skipped + (starts + 1) * perStart), 1000 / processesPerMachine]
if (!(containers >= minContainers && machines >= minMachines)) {
  console.error(`${starts} starts need at least ${minContainers} containers and ${minMachines} machines`)
  process.exit(2)
}

const filled = await filledDirectory(containers, 30)
await fillMachines(filled.directory, machines, 14, organisation)
console.log(`${containers} containers of 30 days in namespaces of 50, ${machines} machines of 200 processes`)

let seenAt: number | undefined
let { service, key } = await serviceOn(filled)
const startedMs = performance.now()
const before = cpuMs(service)
// Once the model is trained, answers are computed again only for organisations that sent requests.
await ask(service.url, '/v1/sources', { key })
await eventually(async () => havePrecomputedSince(await eventually(async () => modelSeenAt())))
console.log(
  `precomputed in ${((performance.now() - startedMs) / 1000).toFixed(0)} s with ${((cpuMs(service) - before) / 1000).toFixed(1)} s of CPU`,
)
await eventually(isIdle)
await outsideLastQuarter()
await measure('never requested before, same process', 0)
await measure('whole days up to the last midnight, never requested before', 0, wholeDayWindows(Date.now()))
for (let start = 1; start <= starts; start++) {
  service.child.kill('SIGKILL')
  await new Promise((resolve) => service.child.once('exit', resolve))
  ;({ service, key } = await serviceOn(filled))
  await measure(`killed and started again, ${start}, while the start goes on in the background`, start)
  await eventually(isIdle)
  await measure(`started again, ${start}, a moment later`, start)
}
const hourEarlier = wholeDayWindows(Date.now()).map(({ from, to }) => ({ from: from - 1, to: to - 1 }))
await measure('windows that are not precomputed', 0, hourEarlier, false)
await service.stop()

/**
 * Sizes are computed again after a new model was trained. Returns when this process first saw the organisation's own
 * model.
 */
function modelSeenAt(): number | undefined {
  if (query('SELECT count(*) AS found FROM sizing_models').found === 0) return undefined
  seenAt ??= Date.now()
  return seenAt
}

/**
 * Whether these answers exist: namespaces for 7, 14 and 30 days up to now and up to midnight, the list of
 * recommendations, windows of machines, and costs.
 */
function havePrecomputedSince(modelAt: number): boolean {
  const count = (condition: string) =>
    Number(query(`SELECT count(*) AS found FROM answers WHERE ${condition}`).found)
  return (
    count(`computed_at > ${modelAt} AND name LIKE 'sizes%'`) >= 6 &&
    count(`computed_at > ${modelAt} AND name LIKE 'recomm%'`) >= 1 &&
    count("name LIKE 'machines%'") >= 6 &&
    count("name LIKE 'costs%'") >= 4
  )
}

/** In the last quarter of an hour the answers of the next one are computed, which would be counted too. */
async function outsideLastQuarter(): Promise<void> {
  const leftMs = hourMs - (Date.now() % hourMs)
  if (leftMs > hourMs / 4 + 120_000) return
  console.log(`waiting ${Math.ceil(leftMs / 60_000)} minutes for the next hour`)
  await new Promise((resolve) => setTimeout(resolve, leftMs + 60_000))
  await eventually(isIdle)
}

/** Whether nothing is computed in the background any more. */
async function isIdle(): Promise<boolean> {
  const before = cpuMs(service)
  await new Promise((resolve) => setTimeout(resolve, 3000))
  return cpuMs(service) - before < 100
}

function query(sql: string) {
  const db = new DatabaseSync(join(filled.directory, 'cheapside.db'), { readOnly: true })
  try {
    return db.prepare(sql).get()!
  } finally {
    db.close()
  }
}

/** Sends each request once. Without `windows`, requests about machines name no window, as the console's do. */
async function measure(name: string, round: number, windows?: Hours[], isKept = true): Promise<void> {
  const [twoWeeks, , month] = (windows ?? defaultWindows(Date.now())) as [Hours, Hours, Hours]
  const window = datesOf(month)
  const namespaces = '/v1/namespace_recommendations'
  const one = (index: number) =>
    `${namespaces}?cluster=bench&namespace=ns-${String(index).padStart(4, '0')}&${window}`
  const first = skipped + round * perStart
  console.log(name)
  await cost('one namespace of 50', one(first))
  await cost(
    `${others} other namespaces of 50, each`,
    ...Array.from({ length: others }, (_, i) => one(first + 1 + i)),
  )
  await cost('all namespaces', `${namespaces}?${window}`)
  if (isKept) await cost('all namespaces, again', `${namespaces}?${window}`)
  await cost('one namespace of 50, again', one(first))
  await cost(
    '100 machines',
    `/v1/vm_summaries?limit=100${windows === undefined ? '' : `&${datesOf(twoWeeks)}`}`,
  )
  if (windows === undefined) await cost('recommendations', '/v1/recommendations?limit=100')
}

/** Sends one request after the other, and prints what one of them takes on average. */
async function cost(name: string, ...paths: readonly string[]): Promise<void> {
  const [cpu, startMs] = [cpuMs(service), performance.now()]
  let size = 0
  for (const path of paths) {
    const { status, text } = await ask(service.url, path, { key })
    if (status !== 200) throw new Error(`answered ${status}: ${text.slice(0, 300)}`)
    size += text.length
  }
  const ms = (performance.now() - startMs) / paths.length
  const cpuEach = (cpuMs(service) - cpu) / paths.length
  console.log(
    `  ${name}: ${cpuEach.toFixed(0)} ms of CPU, ${ms.toFixed(0)} ms, ${(size / paths.length / 1e6).toFixed(2)} MB`,
  )
}

interface Hours {
  readonly from: number
  readonly to: number
}

function datesOf({ from, to }: Hours): string {
  const [start_date, end_date] = [from, to].map((hour) => new Date(hour * hourMs).toISOString())
  return new URLSearchParams({ start_date: start_date!, end_date: end_date! }).toString()
}

/** Returns the CPU time of all threads of a process. */
function cpuMs({ child }: RunningService): number {
  const [user, system] = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    .split(') ')[1]!
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user! + system!) * 10
}
