import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { builtInModelFor } from './quality/built-in-model.ts'
import { fleetRows } from './quality/fleet-rows.ts'
import { checkGuarantees } from './quality/guarantees.ts'
import { measureStability } from './quality/stability.ts'
import { readTraceSets, sampledSet } from './quality/traces.ts'

/**
 * Checks on every series of the traces what no recommendation may do, and measures how often sizes move:
 * node bench/guarantees.ts --traces DIR
 * The directory is that of bench:quality. Exits with 1 if a guarantee does not hold.
 */
const { values } = parseArgs({
  options: {
    traces: { type: 'string', default: fileURLToPath(new URL('../../shared/data/traces', import.meta.url)) },
    every: { type: 'string', default: '1' },
    set: { type: 'string', default: '' },
  },
})
if (!existsSync(values.traces)) {
  console.error(
    'No traces: give a directory with --traces DIR (its format is described in bench/quality/README.md).',
  )
  process.exit(1)
}
const known = readTraceSets(values.traces)
  .map((set) => sampledSet(set, Number(values.every), 0))
  .map((set) => ({
    set,
    rows: new Map([...fleetRows(set, 'cpu'), ...(set.memory === null ? [] : fleetRows(set, 'memory'))]),
  }))
const percent = (part: number, of: number): string => `${((100 * part) / Math.max(1, of)).toFixed(2)}%`
for (const one of known.filter(({ set }) => set.name.includes(values.set))) {
  const { of } = builtInModelFor(one, known)
  console.log(`\n${one.set.name}: ${one.set.series} series`)
  for (const [name, { checked, broken, example }] of checkGuarantees(one, of)) {
    console.log(
      `  ${name}: ${checked} checked, ${broken} broken${example === undefined ? '' : ` (${example})`}`,
    )
    if (broken > 0) process.exitCode = 1
  }
  for (const [name, { steps, any, byTwentieth }] of Object.entries(measureStability(one, of)))
    console.log(
      `  ${name}: ${percent(any, steps)} of ${steps} steps differ, ${percent(byTwentieth, steps)} by 5% or more`,
    )
}
