import type { PriceRuleInput } from '../rules/schema.ts'

export interface ComparedKind {
  readonly provider: string
  readonly region: string
  readonly family: string
  readonly instanceType: string
  readonly expectedUsd: number
  readonly billedUsd: number
}

/** Within half a percent a price is explained: bills round each line. */
export const priceTolerance = 0.005
/** A rule must explain this share of what the provider billed. */
const minShare = 0.005
const maxRulesPerProvider = 30

/** The members that a rule may match, the broadest first. */
const scopes = [
  [],
  ['region'],
  ['family'],
  ['family', 'region'],
  ['instanceType'],
  ['instanceType', 'region'],
] as const
type Member = (typeof scopes)[number][number]

interface Candidate {
  readonly scope: readonly Member[]
  readonly kinds: readonly State[]
  readonly ratio: number
  readonly gainUsd: number
}

interface State {
  readonly kind: ComparedKind
  expectedUsd: number
}

/**
 * Returns percentages that explain a bill with the fewest rules: each time the rule that explains most of what is not
 * explained yet, less what it would no longer explain. Of rules that explain as much, the broader is taken.
 */
export function proposeRules(compared: readonly ComparedKind[]): PriceRuleInput[] {
  return [...Map.groupBy(compared, ({ provider }) => provider)].flatMap(([provider, kinds]) => {
    const states = kinds
      .filter(({ expectedUsd }) => expectedUsd > 0)
      .map((kind): State => ({ kind, expectedUsd: kind.expectedUsd }))
    const least = Math.max(1, minShare * states.reduce((sum, { kind }) => sum + kind.billedUsd, 0))
    const rules: PriceRuleInput[] = []
    while (rules.length < maxRulesPerProvider) {
      const best = bestCandidate(states)
      if (best === undefined || best.gainUsd < least) break
      const percentOff = snapped(100 * (1 - best.ratio))
      for (const state of best.kinds) state.expectedUsd *= 1 - percentOff / 100
      rules.push(ruleOf(provider, best, percentOff, rules.length + 1))
    }
    return rules
  })
}

const isExplained = ({ kind, expectedUsd }: State, ratio = 1): boolean =>
  Math.abs(kind.billedUsd - expectedUsd * ratio) <= priceTolerance * expectedUsd * ratio

function bestCandidate(states: readonly State[]): Candidate | undefined {
  let best: Candidate | undefined
  const billedUsd = states.reduce((sum, { kind }) => sum + kind.billedUsd, 0)
  for (const scope of scopes) {
    const groups = Map.groupBy(states, ({ kind }) => scope.map((member) => kind[member]).join('\n'))
    for (const kinds of groups.values()) {
      if (scope.some((member) => kinds[0]!.kind[member] === '')) continue
      const ratio = commonRatio(kinds.filter((state) => !isExplained(state)))
      if (ratio === undefined) continue
      const gainUsd = kinds.reduce((sum, state) => {
        const gained = Number(isExplained(state, ratio)) - Number(isExplained(state))
        return sum + gained * state.kind.billedUsd
      }, 0)
      // What costs more than its list price is another product, such as a licence, unless most of the bill does.
      if (ratio > 1 && (scope.length > 0 || gainUsd < billedUsd / 2)) continue
      if (best === undefined || gainUsd > best.gainUsd * 1.001) best = { scope, kinds, ratio, gainUsd }
    }
  }
  return best
}

function commonRatio(states: readonly State[]): number | undefined {
  const sorted = states
    .map(({ kind, expectedUsd }) => ({ ratio: kind.billedUsd / expectedUsd, usd: kind.billedUsd }))
    .sort((a, b) => a.ratio - b.ratio)
  let [from, usd, most, common] = [0, 0, 0, undefined as number | undefined]
  for (const [at, one] of sorted.entries()) {
    usd += one.usd
    while (sorted[from]!.ratio < one.ratio * (1 - priceTolerance)) usd -= sorted[from++]!.usd
    if (usd <= most) continue
    most = usd
    common = sorted.slice(from, at + 1).reduce((sum, { ratio, usd: weight }) => sum + ratio * weight, 0) / usd
  }
  return common
}

/** Agreements are round numbers: 8.98 becomes 9. */
function snapped(percent: number): number {
  for (const unit of [1, 0.5, 0.1]) {
    const round = Math.round(percent / unit) * unit
    if (Math.abs(round - percent) <= 0.04) return Number(round.toFixed(2))
  }
  return Number(percent.toFixed(2))
}

function ruleOf(provider: string, { scope, kinds }: Candidate, percentOff: number, number: number) {
  const { region, family, instanceType } = kinds[0]!.kind
  const has = (member: Member): boolean => scope.includes(member as never)
  return {
    name: `${provider} bill ${number}`,
    provider,
    ...(has('region') && { region }),
    ...(has('family') && { family }),
    ...(has('instanceType') && { instance_type: instanceType }),
    usage_type: 'on-demand',
    percent_off: percentOff,
  }
}
