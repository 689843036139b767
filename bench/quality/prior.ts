import { writeFileSync } from 'node:fs'
import { baseNames, bases } from '../../src/rightsizing/bases.ts'
import { trainForest } from '../../src/rightsizing/forest.ts'
import { pack } from '../../src/rightsizing/prior.ts'
import { needsOf } from '../../src/rightsizing/rows.ts'
import { fleetRows, fleetUsage } from './fleet.ts'
import { readTraceSets } from './traces.ts'

const settings = { trees: 4, depth: 4, minLeafRows: 80, featuresPerSplit: 12, seed: 1 }
const firstWeek = 7

/** Writes what a new service knows before it has seen a day, from the first week of every series of a folder's sets. */
export function writePrior(folder: string, file: URL, without = ''): void {
  const sets = readTraceSets(folder).filter(({ name }) => name !== without)
  const usage = {
    cpu: sets.map((set) => fleetUsage(set, 'cpu')),
    memory: sets.map((set) => (set.memory === null ? [] : fleetUsage(set, 'memory'))),
  }
  const packed = baseNames.map((name) => {
    const perSet = sets.map((set, i) => fleetRows(set, usage[bases[name].resource][i]!, name))
    const rows = perSet.flatMap((fleet, set) =>
      fleet.flatMap((own, series) =>
        own.filter(({ age }) => age <= firstWeek).map((row) => ({ row, series: set * 1e6 + series })),
      ),
    )
    const forest = trainForest(
      {
        features: rows.map(({ row }) => withoutSize(row.features)),
        shares: rows.map(({ row }) => row.shares),
        needs: rows.map(({ row }) => needsOf(row.shares, name)),
        series: rows.map(({ series }) => series),
      },
      settings,
    )
    return `"${name}": ${JSON.stringify(pack(forest))}`
  })
  writeFileSync(file, `{\n${packed.join(',\n')}\n}\n`)
}

/** How large series are differs from fleet to fleet, so nothing is learnt from it. */
const withoutSize = (features: Float32Array): Float32Array =>
  Float32Array.from(features, (x, i) => (i === features.length - 1 ? Number.NaN : x))
