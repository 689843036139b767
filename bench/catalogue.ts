import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Catalogue } from '../src/catalogue/catalogue.ts'
import { decodeSnapshot } from '../src/catalogue/snapshot.ts'
import { findProvider } from '../src/importers/providers.ts'
import { compare } from './catalogue/compare.ts'
import { bytesHeld } from './catalogue/measure.ts'
import { questions } from './catalogue/questions.ts'
import { tenfoldOffers, tenfoldZones } from './catalogue/tenfold.ts'

// The catalogue's search against a linear scan, SQLite and PostgreSQL, on the shipped catalogue and on one ten times as
// large: five times the types in twice the regions, prices moved by up to 5%. The same questions, the same answers.

const file = join(import.meta.dirname, '..', 'catalogue', 'cheapside.catalogue')
if (!existsSync(file)) {
  console.error('catalogue/cheapside.catalogue is missing: build it with `cheapside catalogue build`')
  process.exit(1)
}
setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
const zoneLiesIn = (provider: string, zone: string, region: string) =>
  findProvider(provider)?.zoneLiesIn(zone, region) ?? false

const bytes = readFileSync(file)
const load = () => Catalogue.fromSnapshot(decodeSnapshot(bytes), zoneLiesIn)
const started = performance.now()
const shipped = load()
const readyMs = performance.now() - started
console.log(
  `snapshot: ${(bytes.length / 1e6).toFixed(2)} MB for ${shipped.offerCount} offers (goal: at most 5)`,
)
console.log(`snapshot to ready: ${readyMs.toFixed(0)} ms, the first time in a process (goal: under 1000)`)
const { bytes: held } = bytesHeld(load, collect)
console.log(`memory: ${(held / shipped.offerCount).toFixed(1)} bytes an offer, all in all (goal: at most 40)`)

const asked = questions(shipped, 300, 1)
const onefold = await compare('the shipped catalogue', shipped, asked, asked)
const larger = Catalogue.from(tenfoldOffers(shipped), {
  id: 'tenfold',
  zones: tenfoldZones(shipped.zones),
  zoneLiesIn,
})
// One statement takes seconds where much passes, so that it is asked fewer questions.
const tenfold = await compare('ten times as large', larger, asked, asked.slice(0, 30))
const [p50, p99] = [tenfold.p50 / onefold.p50, tenfold.p99 / onefold.p99]
console.log(
  `\nten times the offers cost ${p50.toFixed(2)} times at p50, ${p99.toFixed(2)} at p99 (goal: at most 2)`,
)
