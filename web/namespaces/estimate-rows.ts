import type { Container } from './queries.ts'

type Explained = NonNullable<Container['Explanation']>['CPU']
export type Estimate = Explained['Estimates'][number]

/** One estimator with its results for both resources. */
export interface EstimateRow {
  readonly by: string
  readonly name: string
  readonly cpu: Estimate | undefined
  readonly memory: Estimate | undefined
}

/** Returns the estimators in the order of their results; those for memory only come last. */
export function estimateRows({ CPU, Memory }: { CPU: Explained; Memory: Explained }): EstimateRow[] {
  const said = ({ Estimates }: Explained) => new Map(Estimates.map((each) => [each.By, each]))
  const [cpu, memory] = [said(CPU), said(Memory)]
  return [...new Set([...cpu.keys(), ...memory.keys()])].map((by) => ({
    by,
    name: estimatorName(by),
    cpu: cpu.get(by),
    memory: memory.get(by),
  }))
}

/** Formats a name: krr-simple -> KRR simple. Short words are abbreviations. */
export function estimatorName(by: string): string {
  const words = by.split('-').map((word) => (/^[a-z]{2,3}$/.test(word) ? word.toUpperCase() : word))
  const text = words.join(' ')
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** Describes the steps in order: p95 of the last 7 days, then times 1.25 */
export function derivation(estimate: Estimate | undefined): string {
  const steps = estimate?.Steps.map(({ Says }) => tidy(Says)) ?? []
  return steps.reverse().join(', then ')
}

/** Three digits are enough for a factor. */
const tidy = (text: string): string =>
  text.replace(/\d+\.\d{4,}/g, (digits) => String(Number(Number(digits).toPrecision(3))))
