import { existsSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { builtInModelFor, writeBuiltInModel } from './quality/built-in-model.ts'
import { examine } from './quality/examine.ts'
import { fleetRows } from './quality/fleet-rows.ts'
import { plot } from './quality/plot.ts'
import { summary, tableOf } from './quality/report.ts'
import { type RailName, railsByName } from './quality/served.ts'
import { readTraceSets, sampledSet } from './quality/traces.ts'
import { transfers, transferTable } from './quality/transfer.ts'

const help = `Compares the quality of our sizes with public policies on traces of real machines: npm run bench:quality -- [options]

  --traces DIR        Directory with <set>.json and .f32.gz files (bench/quality/README.md)
  --set NAME          Only sets whose name contains this
  --every N           Only every N-th series of each set: a faster run, which also trains on fewer series
  --first N           The first of these series; default: 0
  --transfer-every N  Judge the transfer matrix on every N-th of these series; default: 4; 0 for no matrix
  --without RAILS     Leave out guard rails, to see what each costs: ${Object.keys(railsByName).join(', ')}, with commas
  --json FILE         Write the results
  --plot FILE         Write a plot
  --write-prior       Write the built-in model instead`

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    traces: { type: 'string', default: fileURLToPath(new URL('../../shared/data/traces', import.meta.url)) },
    set: { type: 'string', default: '' },
    every: { type: 'string', default: '1' },
    first: { type: 'string', default: '0' },
    'transfer-every': { type: 'string', default: '4' },
    without: { type: 'string', default: '' },
    json: { type: 'string' },
    plot: { type: 'string' },
    'write-prior': { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(help)
  process.exit(0)
}
if (!existsSync(values.traces)) {
  console.error(
    'No traces: give a directory with --traces DIR (its format is described in bench/quality/README.md).',
  )
  process.exit(1)
}
const without = values.without.split(',').filter((name): name is RailName => Object.hasOwn(railsByName, name))
const [every, first] = [Number(values.every), Number(values.first)]
const transferEvery = Number(values['transfer-every'])
const sets = readTraceSets(values.traces).map((set) => sampledSet(set, every, first))
const known = sets.map((set) => ({
  set,
  rows: new Map([...fleetRows(set, 'cpu'), ...(set.memory === null ? [] : fleetRows(set, 'memory'))]),
}))
if (values['write-prior']) {
  writeBuiltInModel(known, new URL('../src/rightsizing/model/built-in-model.json', import.meta.url))
  process.exit(0)
}
const judged = known.filter(({ set }) => set.name.includes(values.set))
if (judged.length === 0) {
  console.error(`No trace set in ${values.traces}.`)
  process.exit(1)
}
const results = judged.map((one) => {
  const { crossed, of } = builtInModelFor(one, known)
  const result = examine(one, of, { without })
  console.log(tableOf(result))
  console.log(`  built-in model: ${crossed ? 'trained on the other half of the series' : 'as shipped'}`)
  return result
})
console.log(summary(results))
if (transferEvery > 0) console.log(transferTable(transfers(known, transferEvery), transferEvery))
if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, 1)}\n`)
if (values.plot) writeFileSync(values.plot, plot(results))
