import type { RiskPrices } from '../../src/rightsizing/risk/decide.ts'
import { inertiaAt } from '../../src/rightsizing/risk/ladder.ts'
import { type Expectations, replayOurs } from './fleet.ts'
import { type Exam, type Score, score } from './score.ts'

export interface Point {
  readonly prices: RiskPrices
  readonly base: string
  readonly score: Score
}

/** No higher than these; null where a resource has no such figure. */
export interface Risk {
  readonly violation: number
  readonly shortfall: number | null
}

const depths = Array.from({ length: 17 }, (_, i) => 3 * 2 ** (i / 2))
const times = [0, ...Array.from({ length: 112 }, (_, i) => 2 ** (-3 + i / 8))]

/** Around the best depth the dial is turned in smaller steps. */
const nearby = [-1 / 4, -1 / 8, 0, 1 / 8, 1 / 4]
const fineSteps = 4

/** Every point our policy can be set to, worked out when first asked for. */
export class Frontier {
  readonly #expectations: readonly Expectations[]
  readonly #exam: Exam
  readonly #mostShare: number
  readonly #known = new Map<string, Point>()

  constructor(expectations: readonly Expectations[], exam: Exam, mostShare: number) {
    this.#expectations = expectations
    this.#exam = exam
    this.#mostShare = mostShare
  }

  get points(): Point[] {
    return [...this.#known.values()]
  }

  cheapestWithin(risk: Risk): Point | null {
    const ofCpu = this.#exam.resource === 'cpu'
    const rough = this.#expectations.flatMap((expected) =>
      (ofCpu ? depths : [0]).flatMap((depth) => this.#loosest(expected, depth, risk, 0) ?? []),
    )
    const best = cheapestOf(rough)
    if (best === null) return null
    const expected = this.#expectations.find(({ name }) => name === best.base)!
    const fine = (ofCpu ? nearby : [0]).flatMap(
      (step) => this.#loosest(expected, best.prices.depth * 2 ** step, risk, fineSteps) ?? [],
    )
    return cheapestOf([best, ...fine])
  }

  /** The least price of time that holds the risk, found by halving: among the given ones, then between two of them. */
  #loosest(expected: Expectations, depth: number, risk: Risk, steps: number): Point | null {
    if (!this.#holds(this.at(expected, times.at(-1)!, depth), risk)) return null
    let [low, high] = [0, times.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#holds(this.at(expected, times[middle]!, depth), risk)) high = middle
      else low = middle + 1
    }
    let found = this.at(expected, times[low]!, depth)
    let [below, above] = [times[low - 1] ?? 0, times[low]!]
    for (let step = 0; step < steps && below > 0; step++) {
      const middle = this.at(expected, Math.sqrt(below * above), depth)
      if (this.#holds(middle, risk)) [found, above] = [middle, middle.prices.time]
      else below = middle.prices.time
    }
    return found
  }

  /** The least risky memory point that costs no more. */
  safestFor(usdPerMonth: number): Point | null {
    const points = times.map((time) => this.at(this.#expectations[0]!, time, 0))
    return (
      points
        .filter((point) => point.score.usdPerMonth <= usdPerMonth)
        .sort((a, b) => a.score.violation - b.score.violation)[0] ?? null
    )
  }

  at(expected: Expectations, time: number, depth: number): Point {
    const key = `${expected.name} ${time} ${depth}`
    const known = this.#known.get(key)
    if (known) return known
    const prices = { time, depth, mostShare: this.#mostShare }
    const requests = replayOurs(expected, prices, inertiaAt(this.#exam.resource, prices))
    const point = { prices, base: expected.name, score: score(this.#exam, requests) }
    this.#known.set(key, point)
    return point
  }

  #holds({ score: { violation, shortfall } }: Point, risk: Risk): boolean {
    return violation <= risk.violation && (risk.shortfall === null || shortfall <= risk.shortfall)
  }
}

const cheapestOf = (points: readonly Point[]): Point | null =>
  points.reduce<Point | null>(
    (best, point) => (best === null || point.score.usdPerMonth < best.score.usdPerMonth ? point : best),
    null,
  )
