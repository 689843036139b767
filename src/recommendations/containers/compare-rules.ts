import { usdOf } from '../../costs/allocation/spend.ts'
import { hoursPerMonth, round, roundSum } from '../../domain/money.ts'
import { recommendationDays } from '../../domain/recommendation.ts'
import { dayHours, hourMs } from '../../domain/time.ts'
import type { ContainerSizes } from '../../usage/reading/pod-usage.ts'
import type { PricedContainer } from './namespace-draft.ts'
import { checkRules } from './organisation-rules.ts'
import type { SizingRuleInput } from './parse-constraints.ts'
import { everyNamespace, type SizesDeps, type SizesQuery, sizeNamespaces } from './size-namespaces.ts'
import type { RulesEffect } from './sizing-schema.ts'

const shown = 20

/** Answers what rules would change in what is recommended now, from the usage of the last days. Nothing is stored. */
export async function compareRules(
  deps: SizesDeps,
  organisation: string,
  input: readonly SizingRuleInput[],
  signal: AbortSignal,
): Promise<RulesEffect> {
  const rules = checkRules(input)
  const to = Math.floor(deps.now() / hourMs) + 1
  const query = { ...everyNamespace, hours: { from: to - recommendationDays * dayHours, to } }
  const sized = (asked: SizesQuery) =>
    sizeNamespaces(deps, organisation, asked, () => new ContainerList(), { signal })
  const [now, then] = [sized(query), sized({ ...query, rules })]
  const effect = new Effect(rules.length)
  // Both read the same namespaces in the same order, and hold one at a time.
  for await (const before of now) {
    const { value: after, done } = await then.next()
    if (done) break
    for (const [index, container] of before.content.containers.entries()) {
      const ruled = after.content.containers[index]
      if (ruled?.key !== container.key) continue
      const perMonth = hoursPerMonth / before.measuredHours
      effect.add(
        before,
        { container, usd: usdOf(before.newSpendAt(index)) * perMonth },
        { container: ruled, usd: usdOf(after.newSpendAt(index)) * perMonth },
      )
    }
  }
  return effect.view()
}

interface Side {
  readonly container: PricedContainer
  readonly usd: number
}

type Largest = RulesEffect['largest'][number]

class Effect {
  #containers = 0
  readonly #unmatched: Set<number>
  readonly #usd = { before: 0, after: 0 }
  readonly #cores = { before: 0, after: 0 }
  readonly #gib = { before: 0, after: 0 }
  #largest: Largest[] = []

  constructor(rules: number) {
    this.#unmatched = new Set(Array.from({ length: rules }, (_, index) => index + 1))
  }

  add({ cluster, namespace }: Pick<Largest, 'cluster' | 'namespace'>, before: Side, after: Side): void {
    for (const [side, { container, usd }] of Object.entries({ before, after }) as ['before', Side][]) {
      const { recommended, replicas } = container
      this.#usd[side] += usd
      this.#cores[side] += (recommended.cpuRequest ?? 0) * replicas.atEnd
      this.#gib[side] += (recommended.memoryRequest ?? 0) * replicas.atEnd
    }
    for (const position of after.container.rules.matched) this.#unmatched.delete(position)
    const [was, is] = [sizesOf(before.container.recommended), sizesOf(after.container.recommended)]
    if (JSON.stringify(was) === JSON.stringify(is)) return
    this.#containers++
    const { workload, name: container } = before.container
    const cost = { before: roundSum(before.usd), after: roundSum(after.usd) }
    this.#largest.push({
      cluster,
      namespace,
      workload,
      container,
      before: was,
      after: is,
      cost_per_month: cost,
    })
    if (this.#largest.length >= 2 * shown) this.#trim()
  }

  view(): RulesEffect {
    this.#trim()
    const rounded = (
      { before, after }: { before: number; after: number },
      digits: (value: number) => number,
    ) => ({
      before: digits(before),
      after: digits(after),
    })
    return {
      containers: this.#containers,
      unmatched_rules: [...this.#unmatched],
      cost_per_month: rounded(this.#usd, roundSum),
      cpu_request_cores: rounded(this.#cores, amount),
      memory_request_gib: rounded(this.#gib, amount),
      largest: this.#largest,
    }
  }

  #trim(): void {
    const difference = ({ cost_per_month: { before, after } }: Largest) => Math.abs(after - before)
    this.#largest = this.#largest.toSorted((a, b) => difference(b) - difference(a)).slice(0, shown)
  }
}

const amount = (value: number): number => round(value, 6)
const orNull = (value: number | undefined): number | null => (value === undefined ? null : amount(value))

const sizesOf = (sizes: ContainerSizes): Largest['before'] => ({
  cpu_cores: orNull(sizes.cpuRequest),
  cpu_limit_cores: orNull(sizes.cpuLimit),
  memory_gib: orNull(sizes.memoryRequest),
  memory_limit_gib: orNull(sizes.memoryLimit),
})

export class ContainerList {
  readonly containers: PricedContainer[] = []
  add(container: PricedContainer): void {
    this.containers.push(container)
  }
}
