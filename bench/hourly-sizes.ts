import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { cheapestAt, hourlyPolicies } from './quality/hourly.ts'
import { readTraceSets } from './quality/traces.ts'

/**
 * Sizes for the next hour, which only a benchmark measures so far: node bench/hourly-sizes.ts --traces DIR
 * The directory is that of bench:quality.
 */
const { values } = parseArgs({
  options: {
    traces: { type: 'string', default: fileURLToPath(new URL('../../shared/data/traces', import.meta.url)) },
    every: { type: 'string', default: '12' },
    set: { type: 'string', default: '' },
  },
})
if (!existsSync(values.traces)) {
  console.error(
    'No traces: give a directory with --traces DIR (its format is described in bench/quality/README.md).',
  )
  process.exit(1)
}
const percent = (share: number): string => `${(share * 100).toFixed(2)}%`
for (const set of readTraceSets(values.traces).filter(({ name }) => name.includes(values.set))) {
  const every = Number(values.every)
  const [flat, trial, engine] = hourlyPolicies(set, every)
  console.log(
    `\n${set.name}: every ${every}. series, CPU. Cost as a share of the best flat size, at no more time and no more usage above the size than the trial has`,
  )
  console.log('  time above  usage above  trial  engine  changes a day: trial  engine')
  for (const most of [0.01, 0.02, 0.03, 0.05, 0.1]) {
    const ofTrial = cheapestAt(trial!, { violation: most, shortfall: 1 })
    if (ofTrial === undefined) continue
    const [ofFlat, ofEngine] = [flat!, engine!].map((policy) => cheapestAt(policy, ofTrial))
    const ratio = (of: typeof ofFlat) => (of && ofFlat ? (of.cores / ofFlat.cores).toFixed(3) : '-')
    console.log(
      `  ${percent(ofTrial.violation).padEnd(12)}${percent(ofTrial.shortfall).padEnd(13)}${ratio(ofTrial).padEnd(7)}${ratio(ofEngine).padEnd(8)}${' '.repeat(15)}${ofTrial.changesPerDay.toFixed(1).padEnd(7)}${ofEngine?.changesPerDay.toFixed(1) ?? '-'}`,
    )
  }
}
