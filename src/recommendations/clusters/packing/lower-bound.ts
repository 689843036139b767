import { allocatableOn, type NodeType, type PoolRules } from './node-type.ts'
import { type PodGroup, sumOfPods } from './pods.ts'

/**
 * Returns a cost that no set of nodes of these types, mixed in any way, can undercut within the rules. It is the
 * minimum cost if nodes and pods could be divided: a linear program with two constraints, CPU and memory, whose best
 * solution has one type or two. Infinite if no type has capacity.
 */
export function lowerBoundUsd(
  groups: readonly PodGroup[],
  types: readonly NodeType[],
  rules: PoolRules,
): number {
  const need = sumOfPods(groups)
  const usable = 1 - rules.headroom
  const offers = types.map((type) => {
    const { cores, gib } = allocatableOn(type, rules)
    return { cores: cores * usable, gib: gib * usable, usd: type.perMonthUsd }
  })
  const cheapestUsd = Math.min(...offers.map(({ usd }) => usd))
  let least = Number.POSITIVE_INFINITY
  const efficient = withoutDominated(offers)
  for (const [index, a] of efficient.entries()) {
    least = Math.min(least, a.usd * Math.max(share(need.cores, a.cores), share(need.gib, a.gib)))
    for (const b of efficient.slice(index + 1)) least = Math.min(least, mixedUsd(need, a, b))
  }
  return Math.max(least, rules.minNodes * cheapestUsd)
}

interface Priced {
  readonly cores: number
  readonly gib: number
  readonly usd: number
}

const share = (need: number, of: number): number => (need <= 0 ? 0 : need / of)

/**
 * Returns the cost of the amounts of both types that exactly meet CPU and memory; infinite if an amount would be
 * negative.
 */
function mixedUsd(need: Pick<Priced, 'cores' | 'gib'>, a: Priced, b: Priced): number {
  const determinant = a.cores * b.gib - a.gib * b.cores
  if (determinant === 0) return Number.POSITIVE_INFINITY
  const ofA = (need.cores * b.gib - need.gib * b.cores) / determinant
  const ofB = (a.cores * need.gib - a.gib * need.cores) / determinant
  return ofA >= 0 && ofB >= 0 ? ofA * a.usd + ofB * b.usd : Number.POSITIVE_INFINITY
}

/** Removes types that offer less of both resources per dollar than another type. */
function withoutDominated(offers: readonly Priced[]): Priced[] {
  const perDollar = offers
    .filter(({ cores, gib }) => cores > 0 || gib > 0)
    .sort((a, b) => b.cores / b.usd - a.cores / a.usd || b.gib / b.usd - a.gib / a.usd)
  let maxGib = -1
  return perDollar.filter(({ gib, usd }) => {
    if (gib / usd <= maxGib) return false
    maxGib = gib / usd
    return true
  })
}
