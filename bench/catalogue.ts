import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Catalogue } from '../src/catalogue/catalogue.ts'
import { columnsOf } from '../src/catalogue/columns-build.ts'
import { decodeSnapshot } from '../src/catalogue/snapshot.ts'
import type { Need } from '../src/domain/need.ts'
import { findProvider } from '../src/importers/providers.ts'
import { scanLinearly } from './catalogue/linear-scan.ts'
import { bytesHeld, percentile, timesUs } from './catalogue/measure.ts'
import { PostgresPeer } from './catalogue/postgres.ts'
import { startLargePostgres } from './catalogue/postgres-server.ts'
import { questions } from './catalogue/questions.ts'
import { SqlitePeer } from './catalogue/sqlite.ts'
import { tenfoldOffers, tenfoldZones } from './catalogue/tenfold.ts'

// The catalogue's search against a linear scan, SQLite and PostgreSQL, on the shipped catalogue and on one ten times as large.

const file = join(import.meta.dirname, '..', 'catalogue', 'cheapside.catalogue')
if (!existsSync(file)) {
  console.error('catalogue/cheapside.catalogue is missing: build it with `cheapside catalogue build`')
  process.exit(1)
}
setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
const zoneLiesIn = (provider: string, zone: string, region: string) =>
  findProvider(provider)?.zoneLiesIn(zone, region.replace(/~\d+$/, '')) ?? false

const bytes = readFileSync(file)
const started = performance.now()
const first = Catalogue.fromSnapshot(decodeSnapshot(bytes), zoneLiesIn)
const readyMs = performance.now() - started
const { made: shipped, bytes: held } = bytesHeld(
  () => Catalogue.fromSnapshot(decodeSnapshot(bytes), zoneLiesIn),
  collect,
)
console.log(`${first.offerCount} offers; snapshot of ${(bytes.length / 1e6).toFixed(2)} MB (goal: at most 5)`)
console.log(`snapshot to ready, cold: ${readyMs.toFixed(0)} ms (goal: under 1000)`)
console.log(`memory: ${(held / shipped.offerCount).toFixed(1)} bytes an offer, all in all (goal: at most 40)`)

const asked = questions(shipped, 300, 1)
const onefold = await compare('shipped', shipped, { engine: 40, scan: 1, databases: 2 })
const larger = new Catalogue(columnsOf(tenfoldOffers(shipped)), {
  id: 'tenfold',
  zones: tenfoldZones(shipped.zones),
  zoneLiesIn,
})
const tenfold = await compare('ten times as large', larger, { engine: 40, scan: 1, databases: 1 })
console.log(
  `\nten times as large costs ${ratio(tenfold[0], onefold[0])} at p50 and ${ratio(tenfold[1], onefold[1])} at p99 (goal: at most 2)`,
)

interface Rounds {
  readonly engine: number
  readonly scan: number
  readonly databases: number
}

async function compare(
  name: string,
  catalogue: Catalogue,
  rounds: Rounds,
): Promise<[p50: number, p99: number]> {
  console.log(`\n${name}: ${catalogue.offerCount} offers, ${asked.length} questions`)
  const positions = positionsIn(catalogue)
  const ours = (need: Need) => catalogue.search(need).flatMap((type) => type.offers.map(positions))
  const engine = await measured('Cheapside', asked, rounds.engine, (need) => catalogue.search(need), 20)
  check('linear scan', await Promise.all(asked.map((q) => scanLinearly(catalogue, q))), asked.map(ours))
  await measured('linear scan', asked, rounds.scan, (need) => scanLinearly(catalogue, need))

  const sqlite = new SqlitePeer(catalogue)
  check(
    'SQLite',
    asked.map((need) => sqlite.ask(need)),
    asked.map(ours),
  )
  const ofSqlite = await measured('SQLite', asked, rounds.databases, (need) => sqlite.ask(need))
  sqlite.close()

  const server = await startLargePostgres()
  const postgres = await PostgresPeer.load(catalogue, server.url)
  const answers: number[][] = []
  for (const need of asked) answers.push(await postgres.ask(need))
  check('PostgreSQL', answers, asked.map(ours))
  const ofPostgres = await measured('PostgreSQL', asked, rounds.databases, (need) => postgres.ask(need))
  await postgres.close()
  await server.stop()

  const faster = [0, 1].map((i) => Math.min(ofSqlite[i]!, ofPostgres[i]!))
  console.log(
    `  ${ratio(faster[0]!, engine[0])} as fast as the faster database at p50, ${ratio(faster[1]!, engine[1])} at p99 (goal: 300)`,
  )
  return engine
}

async function measured(
  name: string,
  needs: readonly Need[],
  rounds: number,
  ask: (need: Need) => unknown,
  warmUp = 0,
): Promise<[p50: number, p99: number]> {
  await timesUs(needs, warmUp, ask)
  const times = await timesUs(needs, rounds, ask)
  const [p50, p99] = [percentile(times, 50), percentile(times, 99)]
  console.log(
    `  ${name.padEnd(12)} p50 ${p50.toFixed(1).padStart(10)} us   p99 ${p99.toFixed(1).padStart(10)} us`,
  )
  return [p50, p99]
}

/** Peers answer with positions in the columns; an offer of ours is found by what it is. */
function positionsIn(catalogue: Catalogue) {
  const byKey = new Map<string, number>()
  let position = 0
  const keyOf = (o: ReturnType<Catalogue['offer']>) =>
    [o.instanceType, o.operatingSystem, o.usageType, o.provider, o.region, o.zone, o.term, o.service].join(
      '\n',
    )
  for (const offer of catalogue.offers()) byKey.set(keyOf(offer), position++)
  return (offer: ReturnType<Catalogue['offer']>): number => byKey.get(keyOf(offer))!
}

function check(name: string, theirs: readonly number[][], ours: readonly number[][]): void {
  const wrong = ours.findIndex((answer, i) => answer.join() !== theirs[i]!.join())
  if (wrong < 0) return
  console.error(`${name} answers otherwise`, asked[wrong], ours[wrong], theirs[wrong])
  process.exit(1)
}

function ratio(a: number, b: number): string {
  return `${(a / b).toFixed(a / b < 10 ? 2 : 0)} times`
}
