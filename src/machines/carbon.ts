/** Grams of CO2e that a machine causes in an hour of running. */
interface Carbon {
  readonly gramsPerHour: number
  readonly low: number
  readonly high: number
  readonly method: 'modelled' | 'by-vcpus'
  /** What the grid's figure was measured for: a region, a grid, a country. */
  readonly scope: string
  /** Year of the grid's figure; null if its source does not give one. */
  readonly year: number | null
}

interface Grid {
  readonly gramsPerKwh: number
  readonly year: number | null
  readonly scope: string
}

/** Operation alone, at half load, without cooling and without what making the server caused. */
export function carbonOf(
  grid: Grid,
  power: { idleWatts: number; fullWatts: number } | undefined,
  vcpus: number | null,
): Carbon | undefined {
  if (power === undefined && vcpus === null) return undefined
  const watts = power === undefined ? vcpus! * wattsPerVcpu : (power.idleWatts + power.fullWatts) / 2
  const gramsPerHour = (watts / 1000) * grid.gramsPerKwh
  const error = (power === undefined ? 0.5 : 0.3) + (grid.scope === 'country' ? 0.2 : 0)
  return {
    gramsPerHour,
    low: gramsPerHour * (1 - error),
    high: gramsPerHour * (1 + error),
    method: power === undefined ? 'by-vcpus' : 'modelled',
    scope: grid.scope,
    year: grid.year,
  }
}

/** The median at half load of the 743 types of known size whose power is known. */
const wattsPerVcpu = 3.1
