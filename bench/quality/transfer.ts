import { builtInModelOf, type KnownSet, sampleOf } from './built-in-model.ts'
import { type CadenceResult, examine } from './examine.ts'
import { ratioTo, shown, worstRatio } from './report.ts'

/** One built-in model evaluated on one set, for a service without training of its own. */
export interface Transfer {
  readonly trainedOn: string
  readonly evaluatedOn: string
  readonly result: CadenceResult
}

/**
 * Evaluates every set with a built-in model of each single set, and with one of all other sets. If both sets are the
 * same, even series are evaluated with a model of the odd ones.
 */
export function transfers(known: readonly KnownSet[], every: number): Transfer[] {
  const sources = [
    ...known.map((one) => ({ name: one.set.name, from: [one] })),
    { name: 'all others', from: null },
  ]
  return sources.flatMap(({ name, from }) =>
    known.flatMap((evaluated) => {
      const others = from ?? known.filter((one) => one !== evaluated)
      const builtIn = builtInModelOf(others, (series) => others[0] !== evaluated || series % 2 === 1)
      const sample = sampleOf(evaluated, every, 0)
      const withoutUntaught =
        sample.set.memory !== null && others.every(({ set }) => set.memory === null)
          ? { set: { ...sample.set, memory: null }, rows: sample.rows }
          : sample
      const { cadences } = examine(withoutUntaught, () => builtIn, { cadences: [1], trains: false })
      return [{ trainedOn: name, evaluatedOn: evaluated.set.name, result: cadences[0]! }]
    }),
  )
}

/** Writes the cost ratio to VPA and, in brackets, to the public policy that does best against us. */
export function transferTable(all: readonly Transfer[], every: number): string {
  const sets = [...new Set(all.map(({ evaluatedOn }) => evaluatedOn))]
  const sources = [...new Set(all.map(({ trainedOn }) => trainedOn))]
  const cellOf = (trainedOn: string, evaluatedOn: string, resource: 'cpu' | 'memory'): string => {
    const { result } = all.find((one) => one.trainedOn === trainedOn && one.evaluatedOn === evaluatedOn)!
    const part = result[resource]
    return part === null ? '-' : `${shown(ratioTo(part, 'vpa'))} (${shown(worstRatio(part))})`
  }
  const table = (resource: 'cpu' | 'memory'): string[] => [
    `\nBuilt-in model alone, ${resource}, every ${every}. series: our cost at VPA's risk (and at the risk of the policy that is best against us)`,
    `  ${'trained on'.padEnd(18)}${sets.map((set) => set.padEnd(20)).join('')}`,
    ...sources.map(
      (source) =>
        `  ${source.padEnd(18)}${sets.map((set) => cellOf(source, set, resource).padEnd(20)).join('')}`,
    ),
  ]
  return [...table('cpu'), ...table('memory')].join('\n')
}
