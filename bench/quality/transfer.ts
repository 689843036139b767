import { type CadenceResult, examine } from './examine.ts'
import { experienceFrom, type KnownSet, sampleOf } from './prior.ts'
import { ratioTo, worstRatio } from './report.ts'

/** One experience judged on one set, for a service without training of its own. */
export interface Transfer {
  readonly trainedOn: string
  readonly judgedOn: string
  readonly result: CadenceResult
}

/**
 * Judges every set with the experience from each single set, and with that from all other sets. If both sets are the
 * same, even series are judged with experience from the odd ones.
 */
export function transfers(known: readonly KnownSet[], every: number): Transfer[] {
  const sources = [
    ...known.map((one) => ({ name: one.set.name, from: [one] })),
    { name: 'all others', from: null },
  ]
  return sources.flatMap(({ name, from }) =>
    known.flatMap((judged) => {
      const others = from ?? known.filter((one) => one !== judged)
      const experience = experienceFrom(others, (series) => others[0] !== judged || series % 2 === 1)
      const sample = sampleOf(judged, every, 0)
      const withoutUntaught =
        sample.set.memory !== null && others.every(({ set }) => set.memory === null)
          ? { set: { ...sample.set, memory: null }, rows: sample.rows }
          : sample
      const { cadences } = examine(withoutUntaught, () => experience, { cadences: [1], trains: false })
      return [{ trainedOn: name, judgedOn: judged.set.name, result: cadences[0]! }]
    }),
  )
}

/** Writes the cost ratio to VPA and, in brackets, to the public policy that does best against us. */
export function transferTable(all: readonly Transfer[], every: number): string {
  const sets = [...new Set(all.map(({ judgedOn }) => judgedOn))]
  const sources = [...new Set(all.map(({ trainedOn }) => trainedOn))]
  const cellOf = (trainedOn: string, judgedOn: string, resource: 'cpu' | 'memory'): string => {
    const { result } = all.find((one) => one.trainedOn === trainedOn && one.judgedOn === judgedOn)!
    const part = result[resource]
    return part === null ? '-' : `${ratioTo(part, 'vpa').toFixed(3)} (${worstRatio(part).toFixed(3)})`
  }
  const table = (resource: 'cpu' | 'memory'): string[] => [
    `\nBuilt-in experience alone, ${resource}, every ${every}. series: our cost at VPA's risk (and at the risk of the policy that is best against us)`,
    `  ${'trained on'.padEnd(18)}${sets.map((set) => set.padEnd(20)).join('')}`,
    ...sources.map(
      (source) =>
        `  ${source.padEnd(18)}${sets.map((set) => cellOf(source, set, resource).padEnd(20)).join('')}`,
    ),
  ]
  return [...table('cpu'), ...table('memory')].join('\n')
}
