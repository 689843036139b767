import type { RiskPrices } from '../../src/rightsizing/decide.ts'
import { inertia } from '../../src/rightsizing/ladder.ts'
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

const depths = Array.from({ length: 33 }, (_, i) => 3 * 2 ** (i / 4))
const times = [0, ...Array.from({ length: 112 }, (_, i) => 2 ** (-3 + i / 8))]

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
    let best: Point | null = null
    const consider = (expected: Expectations, depth: number): void => {
      if (!this.#holds(this.at(expected, times.at(-1)!, depth), risk)) return
      if (best && this.at(expected, 0, depth).score.usdPerMonth > best.score.usdPerMonth) return
      let [low, high] = [0, times.length - 1]
      while (low < high) {
        const middle = (low + high) >> 1
        if (this.#holds(this.at(expected, times[middle]!, depth), risk)) high = middle
        else low = middle + 1
      }
      const found = this.at(expected, times[low]!, depth)
      if (best === null || found.score.usdPerMonth < best.score.usdPerMonth) best = found
    }
    const ofCpu = this.#exam.resource === 'cpu'
    for (const expected of this.#expectations)
      for (const depth of ofCpu ? depths : [0]) consider(expected, depth)
    const rough: Point | null = best
    if (rough === null || !ofCpu) return rough
    const { base, prices } = rough as Point
    const expected = this.#expectations.find(({ name }) => name === base)!
    for (const step of [-1 / 6, -1 / 12, 1 / 12, 1 / 6]) consider(expected, prices.depth * 2 ** step)
    return best
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
    const requests = replayOurs(expected, prices, inertia[this.#exam.resource])
    const point = { prices, base: expected.name, score: score(this.#exam, requests) }
    this.#known.set(key, point)
    return point
  }

  #holds({ score: { violation, shortfall } }: Point, risk: Risk): boolean {
    return violation <= risk.violation && (risk.shortfall === null || shortfall <= risk.shortfall)
  }
}
