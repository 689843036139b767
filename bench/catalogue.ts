import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Catalogue } from '../src/catalogue/catalogue.ts'
import { catalogueRules } from '../src/catalogue/load-catalogue.ts'
import type { CatalogueRules } from '../src/catalogue/rules.ts'
import { decodeSnapshot } from '../src/catalogue/snapshot/snapshot.ts'
import { providers } from '../src/providers/providers.ts'
import { compare } from './catalogue/compare.ts'
import { bytesHeld } from './catalogue/measure.ts'
import { questions } from './catalogue/questions.ts'
import { tenfoldRules, tenfoldSnapshot } from './catalogue/tenfold.ts'

// Compares the catalogue's search with a linear scan, SQLite and PostgreSQL, on the shipped catalogue and on one ten
// times as large: five times the types in twice the regions, with prices changed by up to 5%. All get the same
// questions and must give the same answers.

const file = join(import.meta.dirname, '..', 'catalogue', 'cheapside.catalogue')
if (!existsSync(file)) {
  console.error('catalogue/cheapside.catalogue is missing: build it with `cheapside catalogue build`')
  process.exit(1)
}
setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
const rules = catalogueRules(providers)

const bytes = readFileSync(file)
const shipped = loaded('the shipped catalogue', bytes, rules)
const asked = questions(shipped, 300, 1)
const onefold = await compare('the shipped catalogue', shipped, asked, asked)
const larger = loaded(
  'ten times as large',
  tenfoldSnapshot(shipped, decodeSnapshot(bytes).manifest),
  tenfoldRules(rules),
)
// One SQL statement takes seconds if many offers pass, so it gets fewer questions.
const tenfold = await compare('ten times as large', larger, asked, asked.slice(0, 30))
const [p50, p99] = [tenfold.p50 / onefold.p50, tenfold.p99 / onefold.p99]
console.log(
  `\nten times the offers cost ${p50.toFixed(2)} times at p50, ${p99.toFixed(2)} at p99 (goal: at most 2)`,
)

function loaded(name: string, snapshot: Uint8Array, rules: CatalogueRules): Catalogue {
  const load = () => Catalogue.fromSnapshot(decodeSnapshot(snapshot), rules)
  const started = performance.now()
  const catalogue = load()
  const readyMs = performance.now() - started
  const count = catalogue.offerCount
  const { bytes: held } = bytesHeld(load, collect)
  console.log(
    `${name}: ${count} offers, ${(snapshot.length / 1e6).toFixed(2)} MB (goal: at most 5 as shipped), ready in ` +
      `${readyMs.toFixed(0)} ms (goal: under 1000 as shipped), ${(held / count).toFixed(1)} bytes of memory an offer (goal: at most 40)`,
  )
  return catalogue
}
