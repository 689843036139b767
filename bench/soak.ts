import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { injectFaults } from './soak/faults.ts'
import { checkKept } from './soak/invariants.ts'
import { Ledger } from './soak/ledger.ts'
import { startLoad } from './soak/load.ts'
import { type Trend, trendOf, watchResources } from './soak/resources.ts'
import { type Database, Target } from './soak/target.ts'

/**
 * Three organisations push usage, register prices, issue keys and send queries, while the service is killed, its
 * database restarted and its disk filled. Checks at the end that everything acknowledged exists, once, and only for its
 * organisation, and that memory and open files do not grow. Faults occur in the first third, so that the rest shows
 * memory over a long time.
 *   node bench/soak.ts --minutes 30 --database both --seed 1
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    database: { type: 'string', default: 'both' },
    seed: { type: 'string', default: '1' },
    'slope-mib': { type: 'string', default: '60' },
  },
})
const runMs = Number(values.minutes) * 60_000
const maxMibPerHour = Number(values['slope-mib'])
const minMinutesJudged = 8
/** One for each worker, which may have opened a connection late. */
const maxDescriptorsMore = 18
const databases = (values.database === 'both' ? ['sqlite', 'postgres'] : [values.database]) as Database[]

for (const database of databases) await soak(database)

async function soak(database: Database): Promise<void> {
  const target = await Target.start(database)
  const ledger = new Ledger()
  const resources = watchResources(target)
  const startedMs = Date.now()
  const say = (line: string) =>
    console.error(`${database} ${((Date.now() - startedMs) / 1_000).toFixed(0)} s: ${line}`)
  try {
    const load = await startLoad(target, ledger, Number(values.seed))
    const faults = await injectFaults(target, startedMs + runMs / 3, say)
    say('no more faults')
    while (Date.now() < startedMs + runMs) {
      await delay(Math.min(60_000, startedMs + runMs - Date.now()))
      const { residentMib, descriptors } = resources.readings.at(-1)!
      say(`${residentMib.toFixed(0)} MiB, ${descriptors} descriptors, ${ledger.violations.size} violations`)
      if (!target.isRunning) throw new Error('the service ended by itself')
    }
    await load.stop()
    resources.stop()
    const trend = trendOf(resources.readings)
    judge(ledger, trend)
    const kept = await checkKept(target, ledger, load.organisations)
    report(database, ledger, { faults, kept, trend })
  } finally {
    resources.stop()
    await target.stop()
  }
}

function judge(ledger: Ledger, trend: Trend | undefined): void {
  if (trend === undefined || trend.minutes < minMinutesJudged) return
  const [before, after] = trend.descriptors
  if (after > before + maxDescriptorsMore) ledger.violate(`descriptors rose from ${before} to ${after}`)
  if (trend.mibPerHour > maxMibPerHour)
    ledger.violate(`memory rises by ${trend.mibPerHour.toFixed(0)} MiB an hour`)
}

interface Outcome {
  readonly faults: ReadonlyMap<string, number>
  readonly kept: readonly string[]
  readonly trend: Trend | undefined
}

function report(database: Database, ledger: Ledger, { faults, kept, trend }: Outcome): void {
  const pairs = (map: ReadonlyMap<string, number>) =>
    [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => `${name} ${count}`)
  const rows: [string, string][] = [
    ['faults', pairs(faults).join(', ')],
    ...[...ledger.answers].map(([kind, outcomes]): [string, string] => [kind, pairs(outcomes).join(', ')]),
    ...kept.map((line): [string, string] => ['kept', line]),
    ['memory', trend === undefined ? 'too short to tell' : memoryLine(trend)],
    [
      'descriptors',
      trend === undefined ? 'too short to tell' : `${trend.descriptors.join(' -> ')}${judgedAs(trend)}`,
    ],
    ...pairs(ledger.violations).map((line): [string, string] => ['VIOLATED', line]),
  ]
  console.log(`\n${database}, ${values.minutes} minutes, seed ${values.seed}`)
  for (const [name, line] of rows) console.log(`  ${name.padEnd(34)} ${line}`)
  console.log(`  ${ledger.violations.size === 0 ? 'every invariant holds' : 'INVARIANTS VIOLATED'}`)
  if (ledger.violations.size > 0) process.exitCode = 1
}

function judgedAs({ minutes }: Trend): string {
  return minutes < minMinutesJudged ? '; too short to be judged' : ''
}

function memoryLine(trend: Trend): string {
  const { mibPerHour, minutes, firstMib, lastMib } = trend
  const span = `${firstMib.toFixed(0)} -> ${lastMib.toFixed(0)} MiB in ${minutes.toFixed(1)} minutes`
  return `${mibPerHour.toFixed(0)} MiB an hour, limit ${maxMibPerHour} (${span})${judgedAs(trend)}`
}
