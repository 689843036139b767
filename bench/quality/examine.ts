import { publicPolicyList } from '../../src/rightsizing/estimators/public-policies.ts'
import type { Resource } from '../../src/rightsizing/input.ts'
import { basesOf } from '../../src/rightsizing/model/bases.ts'
import {
  maxShare,
  type ProfileName,
  profileLevels,
  profileNames,
  riskLevels,
} from '../../src/rightsizing/risk/ladder.ts'
import { exactly } from './digest.ts'
import { expectations } from './fleet.ts'
import { Frontier, type Point } from './frontier.ts'
import type { Experience, KnownSet } from './prior.ts'
import { replayRecipes } from './replay.ts'
import { countDays, type Exam, exam, type Score, score } from './score.ts'

export interface Comparison {
  readonly policy: string
  readonly theirs: Score
  /** Our cheapest point with no risk higher than theirs. */
  readonly ours: Point | null
  /** Memory: our safest point that costs no more. */
  readonly atItsCost: Score | null
}

export interface ResourceResult {
  readonly comparisons: readonly Comparison[]
  readonly profiles: readonly { readonly profile: ProfileName; readonly score: Score }[]
  readonly frontier: readonly Point[]
}

export interface SetResult {
  readonly set: string
  readonly series: number
  readonly days: number
  readonly cpu: ResourceResult
  readonly memory: ResourceResult | null
  /** Days with one to three days of history: KRR, and our cheapest point with half its violations. */
  readonly young: { readonly theirs: Score; readonly ours: Point | null } | null
}

const youngDays = 3

export function examine(known: KnownSet, experience: Experience): SetResult {
  const { set } = known
  const { scored, age } = countDays(set)
  const cpu = frontierOf(known, experience, exam(set, 'cpu', scored))
  const result = { set: set.name, series: set.series, days: scored.reduce((a, b) => a + b, 0) }
  if (set.memory === null) return { ...result, cpu: cpu.result, memory: null, young: null }
  const memory = frontierOf(known, experience, exam(set, 'memory', scored))
  const youngExam = exam(
    set,
    'memory',
    scored.map((one, index) => (one && age[index]! <= youngDays ? 1 : 0)),
  )
  const theirs = score(youngExam, memory.requests.get('krr-simple')!)
  const young = new Frontier(memory.expected, youngExam, maxShare.memory)
  const ours = young.cheapestWithin({ violation: theirs.violation / 2, shortfall: null })
  return { ...result, cpu: cpu.result, memory: memory.result, young: { theirs, ours } }
}

function frontierOf({ set, rows }: KnownSet, experience: Experience, paper: Exam) {
  const resource: Resource = paper.resource
  const requests = replayRecipes(set, publicPolicyList, resource, exactly)
  const expected = basesOf(resource).map((name) => expectations(set, name, rows.get(name)!, experience))
  const frontier = new Frontier(expected, paper, maxShare[resource])
  const comparisons = publicPolicyList.map(({ name }) => {
    const theirs = score(paper, requests.get(name)!)
    const shortfall = resource === 'cpu' ? theirs.shortfall : null
    const ours = frontier.cheapestWithin({ violation: theirs.violation, shortfall })
    const atItsCost = resource === 'memory' ? (frontier.safestFor(theirs.usdPerMonth)?.score ?? null) : null
    return { policy: name, theirs, ours, atItsCost }
  })
  const profiles = profileNames.map((profile) => {
    const rung = riskLevels[resource][profileLevels[profile]]!
    const own = expected.find(({ name }) => name === rung.base)!
    return { profile, score: frontier.at(own, rung.prices.time, rung.prices.depth).score }
  })
  return { requests, expected, result: { comparisons, profiles, frontier: frontier.points } }
}
