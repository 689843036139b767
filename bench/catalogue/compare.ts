import type { Catalogue } from '../../src/catalogue/catalogue.ts'
import type { Need } from '../../src/domain/need.ts'
import type { Offer } from '../../src/domain/offer.ts'
import { scanLinearly } from './linear-scan.ts'
import { percentile, timesUs } from './measure.ts'
import type { Way } from './peer-query.ts'
import { PostgresPeer } from './postgres.ts'
import { startLargePostgres } from './postgres-server.ts'
import { SqlitePeer } from './sqlite.ts'

interface Times {
  readonly p50: number
  readonly p99: number
}

type Ask = (need: Need) => readonly number[] | Promise<readonly number[]>

const ways: readonly Way[] = ['one statement', 'walked by hand']

/** Asks all questions and prints how long they took. `few` are the questions for slow peers. */
export async function compare(
  name: string,
  catalogue: Catalogue,
  asked: readonly Need[],
  few: readonly Need[],
): Promise<Times> {
  console.log(`\n${name}: ${catalogue.offerCount} offers, ${asked.length} questions`)
  const engine = await measured('Cheapside', asked, (need) => catalogue.search(need), 40, 80)
  const positionOf = positionsIn(catalogue)
  const expected = new Map(
    asked.map((need) => [need, catalogue.search(need).flatMap((t) => t.offers.map(positionOf))]),
  )
  const checked = async (who: string, needs: readonly Need[], ask: Ask): Promise<Times> => {
    for (const need of needs) check(who, need, await ask(need), expected.get(need)!)
    return measured(who, needs, ask, 2)
  }
  await checked('linear scan', few, (need) => scanLinearly(catalogue, need))

  const sqlite = new SqlitePeer(catalogue)
  const server = await startLargePostgres()
  const postgres = await PostgresPeer.load(catalogue, server.url)
  for (const way of ways) {
    const needs = way === 'one statement' ? few : asked
    const ofSqlite = await checked(`SQLite, ${way}`, needs, (need) => sqlite.ask(need, way))
    const ofPostgres = await checked(`PostgreSQL, ${way}`, needs, (need) => postgres.ask(need, way))
    const ratio = (p: keyof Times) => (Math.min(ofSqlite[p], ofPostgres[p]) / engine[p]).toFixed(0)
    console.log(
      `  Cheapside is ${ratio('p50')} times as fast as the faster at p50, ${ratio('p99')} at p99 (goal: 300)`,
    )
  }
  sqlite.close()
  await postgres.close()
  await server.stop()
  return engine
}

async function measured(
  who: string,
  needs: readonly Need[],
  ask: (need: Need) => unknown,
  rounds: number,
  warmUp = 0,
): Promise<Times> {
  await timesUs(needs, warmUp, ask)
  const times = await timesUs(needs, rounds, ask)
  const [p50, p99] = [percentile(times, 50), percentile(times, 99)]
  const [shown50, shown99] = [p50, p99].map((us) => us.toFixed(1).padStart(10))
  console.log(`  ${who.padEnd(27)} p50 ${shown50} us   p99 ${shown99} us`)
  return { p50, p99 }
}

/** Peers answer with positions in the columns. Returns a function that finds the position of an offer. */
function positionsIn(catalogue: Catalogue): (offer: Offer) => number {
  const keyOf = (o: Offer) =>
    [o.instanceType, o.operatingSystem, o.usageType, o.provider, o.region, o.zone, o.term, o.service].join(
      '\n',
    )
  const byKey = new Map<string, number>()
  let position = 0
  for (const offer of catalogue.offers()) byKey.set(keyOf(offer), position++)
  return (offer) => byKey.get(keyOf(offer))!
}

function check(who: string, need: Need, theirs: readonly number[], ours: readonly number[]): void {
  if (theirs.join() === ours.join()) return
  console.error(`${who} answers otherwise:`, JSON.stringify(need), theirs, ours)
  process.exit(1)
}
