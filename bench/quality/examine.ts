import { publicPolicyList } from '../../src/rightsizing/estimators/public-policies.ts'
import type { Resource } from '../../src/rightsizing/input.ts'
import type { BuiltInModel } from '../../src/rightsizing/model/built-in-model.ts'
import { type ProfileName, profileNames } from '../../src/rightsizing/risk/levels.ts'
import type { SizingPreference } from '../../src/rightsizing/workload.ts'
import type { KnownSet } from './built-in-model.ts'
import { exactly } from './digest.ts'
import { appliedEvery, replayPolicies } from './replay.ts'
import { countDays, type Exam, exam, type Score, score } from './score.ts'
import { type Applied, type RailName, replayServed } from './served.ts'

/** Our policy at one combination of its numeric settings. */
export interface Point {
  readonly risk: number
  readonly shortfall: number | undefined
  readonly score: Score
}

export interface Comparison {
  readonly policy: string
  readonly theirs: Score
  /** Our cheapest point whose risk is not higher than theirs. */
  readonly ours: Point | null
  /** For memory, our safest point that costs no more. */
  readonly atItsCost: Score | null
}

export interface ResourceResult {
  readonly comparisons: readonly Comparison[]
  readonly profiles: readonly { readonly profile: ProfileName; readonly score: Score }[]
  readonly frontier: readonly Point[]
}

/** Results if all policies are applied every n days. */
export interface CadenceResult {
  readonly everyDays: number
  readonly cpu: ResourceResult
  readonly memory: ResourceResult | null
  /** Days with one to three days of history: KRR, and our cheapest point with half its violations. */
  readonly young: { readonly theirs: Score; readonly ours: Point | null } | null
}

export interface SetResult {
  readonly set: string
  readonly series: number
  readonly days: number
  readonly cadences: readonly CadenceResult[]
}

/** Settings of a risk alone, and of a risk with a shortfall, which only CPU has. */
const settings: readonly SizingPreference[] = [
  ...shares(72, 0.3, 0.002).map((risk) => ({ risk })),
  ...shares(16, 0.1, 0.002).flatMap((risk) =>
    shares(40, 0.07, 0.0015).map((shortfall) => ({ risk, shortfall })),
  ),
]
const youngDays = 3

interface ExamineOptions {
  readonly cadences?: readonly number[]
  readonly trains?: boolean
  /** Guard rails to leave out. */
  readonly without?: readonly RailName[]
}

export function examine(
  known: KnownSet,
  builtInOf: (series: number) => BuiltInModel,
  { cadences = [1, 7], trains = true, without = [] }: ExamineOptions = {},
): SetResult {
  const { set } = known
  const { scored, age } = countDays(set)
  const preferences = [...settings, ...profileNames.map((profile) => ({ profile }))]
  const appliers = cadences.flatMap((everyDays) =>
    preferences.map((preference) => ({ everyDays, preference })),
  )
  const applied = replayServed(known, builtInOf, appliers, trains, without)
  const young = scored.map((one, index) => (one && age[index]! <= youngDays ? 1 : 0))
  const resultOf = (everyDays: number, resource: Resource, paper: Exam): ResourceResult => {
    const own = applied.filter((one) => one.everyDays === everyDays)
    const theirs = replayPolicies(set, publicPolicyList, resource, exactly)
    return compare(paper, own, (policy) => appliedEvery(everyDays, theirs.get(policy)!, set.days))
  }
  return {
    set: set.name,
    series: set.series,
    days: scored.reduce((a, b) => a + b, 0),
    cadences: cadences.map((everyDays) => ({
      everyDays,
      cpu: resultOf(everyDays, 'cpu', exam(set, 'cpu', scored)),
      memory: set.memory && resultOf(everyDays, 'memory', exam(set, 'memory', scored)),
      young: set.memory && youngOf(resultOf(everyDays, 'memory', exam(set, 'memory', young))),
    })),
  }
}

function youngOf({ comparisons, frontier }: ResourceResult): CadenceResult['young'] {
  const { theirs } = comparisons.find(({ policy }) => policy === 'krr-simple')!
  return { theirs, ours: cheapestWithin(frontier, { ...theirs, violation: theirs.violation / 2 }, false) }
}

function compare(
  paper: Exam,
  applied: readonly Applied[],
  theirsOf: (policy: string) => Float64Array,
): ResourceResult {
  const { resource } = paper
  const pointOf = ({ requests }: Applied): Score => score(paper, requests[resource])
  const frontier = applied.flatMap((one) =>
    one.preference.risk === undefined
      ? []
      : [{ risk: one.preference.risk, shortfall: one.preference.shortfall, score: pointOf(one) }],
  )
  const profiles = applied.flatMap((one) =>
    one.preference.profile === undefined ? [] : [{ profile: one.preference.profile, score: pointOf(one) }],
  )
  const comparisons = publicPolicyList.map(({ name }) => {
    const theirs = score(paper, theirsOf(name))
    const affordable = frontier.filter(({ score: { usdPerMonth } }) => usdPerMonth <= theirs.usdPerMonth)
    const safest = affordable.sort((a, b) => a.score.violation - b.score.violation)[0]?.score ?? null
    return {
      policy: name,
      theirs,
      ours: cheapestWithin(frontier, theirs, resource === 'cpu'),
      atItsCost: resource === 'memory' ? safest : null,
    }
  })
  return { comparisons, profiles, frontier }
}

function cheapestWithin(points: readonly Point[], most: Score, withShortfall: boolean): Point | null {
  const holds = ({ score: { violation, shortfall } }: Point): boolean =>
    violation <= most.violation && (!withShortfall || shortfall <= most.shortfall)
  return points.filter(holds).sort((a, b) => a.score.usdPerMonth - b.score.usdPerMonth)[0] ?? null
}

/** Returns a geometric series from the first to the last value. */
function shares(count: number, first: number, last: number): number[] {
  return Array.from({ length: count }, (_, i) => first * (last / first) ** (i / (count - 1)))
}
