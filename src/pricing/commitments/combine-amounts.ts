import { bestAmount, type HoursOfUse } from './best-amount.ts'
import type { CommitmentScope } from './commitment-scopes.ts'

/** Hours in which the same machines ran: what nothing covers yet of each kind, on demand. */
export interface SteadyHours {
  readonly hours: number
  readonly leftUsd: readonly number[]
}

export interface ScopedAmount {
  readonly scope: CommitmentScope
  readonly term: '1y' | '3y'
  readonly hours: readonly HoursOfUse[]
  readonly bestUsd: number
  /** By kind: what the commitment costs / on demand; undefined if it does not cover the kind. */
  readonly ratios: readonly (number | undefined)[]
}

export interface CombinedAmounts {
  readonly provider: string
  readonly term: '1y' | '3y'
  readonly parts: readonly { readonly amount: ScopedAmount; readonly usd: number }[]
  /** What all of them save an hour, in US dollars. */
  readonly savedUsd: number
}

type Ratios = ScopedAmount['ratios']

/** What of a family's own best amount is tried; the rest is left to the commitment for everything. */
const shares = Array.from({ length: 9 }, (_, step) => step / 8)
/** The others are left to the commitment for everything, so that the time does not grow with the families. */
const maxFamilies = 6
/** What is left over by dividing is no commitment. */
const minUsd = 0.001
/** Two commitments are more work than one, so they must save that much more. */
const minGain = 1.01

/**
 * Returns for a provider and a term which commitments for families and for everything cost least together, if that is
 * less than the best of them alone. Families come first, as providers apply them: their discount is the higher one.
 */
export function combineAmounts(
  amounts: readonly ScopedAmount[],
  steady: readonly SteadyHours[],
): CombinedAmounts | undefined {
  const [first] = amounts
  const general = amounts.find(({ scope }) => scope.family === undefined)
  const families = amounts
    .filter((amount) => amount !== general)
    .sort((a, b) => b.bestUsd - a.bestUsd)
    .slice(0, maxFamilies)
  if (first === undefined || general === undefined || families.length === 0) return undefined
  const nothingUsd = averageOf(steady)
  const savedBy = (parts: CombinedAmounts['parts']): number => {
    const left = parts.reduce((hours, { amount, usd }) => coverHours(hours, amount.ratios, usd), steady)
    return nothingUsd - averageOf(left) - parts.reduce((sum, { usd }) => sum + usd, 0)
  }
  const combined = (shareOf: ReadonlyMap<ScopedAmount, number>): CombinedAmounts['parts'] => {
    const parts = families
      .map((amount) => ({ amount, usd: amount.bestUsd * (shareOf.get(amount) ?? 0) }))
      .filter(({ usd }) => usd >= minUsd)
    const left = parts.reduce((hours, { amount, usd }) => coverHours(hours, amount.ratios, usd), steady)
    const usd = bestAmount(hoursOfUse(left, general.ratios))
    return usd >= minUsd ? [...parts, { amount: general, usd }] : parts
  }
  let best = combined(new Map())
  for (const start of [0, 1]) {
    const chosen = new Map(families.map((family) => [family, start]))
    for (const family of [...families, ...families]) {
      const tried = shares.map((share) => combined(new Map(chosen).set(family, share)))
      const saved = tried.map(savedBy)
      const at = saved.indexOf(Math.max(...saved))
      chosen.set(family, shares[at]!)
      if (saved[at]! > savedBy(best)) best = tried[at]!
    }
  }
  const savedUsd = savedBy(best)
  const alone = Math.max(...amounts.map((amount) => savedBy([{ amount, usd: amount.bestUsd }])))
  if (best.length < 2 || savedUsd < minGain * alone) return undefined
  return { provider: first.scope.provider, term: first.term, parts: best, savedUsd }
}

export const hoursOfUse = (steady: readonly SteadyHours[], ratios: Ratios): HoursOfUse[] =>
  steady.map(({ hours, leftUsd }) => ({
    hours,
    uses: leftUsd.flatMap((onDemandUsd, index) => {
      const ratio = ratios[index]
      return ratio === undefined || onDemandUsd <= 0
        ? []
        : [{ onDemandUsd, committedUsd: ratio * onDemandUsd }]
    }),
  }))

/** What an amount leaves on demand, the highest discount first. */
function coverHours(steady: readonly SteadyHours[], ratios: Ratios, usd: number): SteadyHours[] {
  const order = ratios
    .flatMap((ratio, index) => (ratio === undefined ? [] : [{ ratio, index }]))
    .sort((a, b) => a.ratio - b.ratio)
  return steady.map(({ hours, leftUsd }) => {
    const left = [...leftUsd]
    let dollars = usd
    for (const { ratio, index } of order) {
      const used = Math.min(dollars, ratio * left[index]!)
      dollars -= used
      if (ratio > 0) left[index]! -= used / ratio
    }
    return { hours, leftUsd: left }
  })
}

function averageOf(steady: readonly SteadyHours[]): number {
  const total = steady.reduce((sum, { hours }) => sum + hours, 0)
  const usd = steady.reduce(
    (sum, { hours, leftUsd }) => sum + hours * leftUsd.reduce((all, one) => all + one, 0),
    0,
  )
  return usd / Math.max(1, total)
}
