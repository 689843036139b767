import { writeFileSync } from 'node:fs'
import { baseNames, bases } from '../../src/rightsizing/bases.ts'
import { gridSize } from '../../src/rightsizing/grid.ts'
import { priorAges } from '../../src/rightsizing/prior.ts'
import { fleetRows, fleetUsage } from './fleet.ts'
import { readTraceSets, type TraceSet } from './traces.ts'

/** Writes what a new service knows before it has seen a day: mean shares above, by age, each set weighing the same. */
export function writePrior(folder: string, file: URL, without = ''): void {
  const sets = readTraceSets(folder).filter(({ name }) => name !== without)
  const usage = new Map<string, ReturnType<typeof fleetUsage>>()
  const usageOf = (set: TraceSet, resource: 'cpu' | 'memory') => {
    const key = `${set.name} ${resource}`
    if (!usage.has(key)) usage.set(key, fleetUsage(set, resource))
    return usage.get(key)!
  }
  const tables = baseNames.map((name) => {
    const { resource } = bases[name]
    const with_ = sets.filter((set) => resource === 'cpu' || set.memory !== null)
    const perAge = priorAges.map((from, index) => {
      const until = priorAges[index + 1] ?? 15
      const sum = new Float64Array(gridSize)
      for (const set of with_) {
        const rows = fleetRows(set, usageOf(set, resource), name)
          .flat()
          .filter(({ age }) => age >= from && age < until)
        for (const { shares } of rows)
          for (let k = 0; k < gridSize; k++) sum[k]! += shares[k]! / rows.length / with_.length
      }
      return [...sum].map((share) => Number(share.toFixed(5)))
    })
    return `"${name}": [\n${perAge.map((table) => `[${table.join(',')}]`).join(',\n')}\n]`
  })
  writeFileSync(file, `{\n${tables.join(',\n')}\n}\n`)
}
