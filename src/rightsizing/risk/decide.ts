import { type BaseName, bases, floors } from '../model/bases.ts'
import { type BaseModel, expectedShares, type KnownSeries, SharesWorkspace } from '../model/experience.ts'
import { excess, gridSize, multiples } from '../model/grid.ts'
import { builtInExperience, type Experience } from '../model/prior.ts'

/**
 * What risk costs, in the price of keeping one base worth of the resource. Raising either never lowers an answer.
 * A request of m bases costs m; usage above it costs `depth` for each base of it, and each share of time above it costs
 * `time`, more for a series smaller than the fleet's mean (head room is cheap there) and less for a larger one.
 */
export interface RiskPrices {
  readonly time: number
  readonly depth: number
  /** No series is planned to be above its request for a larger share than this. */
  readonly mostShare: number
}

export interface Decision {
  readonly request: number
  /** Expected share above the request, and mean usage above it in cores or GiB. */
  readonly share: number
  readonly excess: number
  readonly loss: number
}

export interface Outlook {
  readonly base: number
  readonly floor: number
  /** Mean base of the fleet over this base; 1 where there is no fleet. */
  readonly smallness: number
  /** Expected share of the day above each multiple of the base, and mean usage above it in bases. */
  readonly shares: Float32Array
  readonly beyond: Float64Array
}

/** The size with the least expected loss m + time x share + depth x excess. */
export function decide(outlook: Outlook, prices: RiskPrices): Decision {
  const { shares, beyond } = outlook
  const [floor, time] = [outlook.floor / outlook.base, prices.time * outlook.smallness]
  const { depth, mostShare } = prices
  let smallest = gridSize
  while (smallest > 0 && shares[smallest - 1]! <= mostShare) smallest--
  let best = gridSize - 1
  let least = Number.POSITIVE_INFINITY
  // Nothing costs less than itself, so that larger ones than the least loss need not be looked at.
  for (let k = smallest; k < gridSize && multiples[k]! < least; k++) {
    const loss = lossOf(multiples[k]!, floor, time * shares[k]!, depth * beyond[k]!)
    if (loss >= least) continue
    least = loss
    best = k
  }
  const request = Math.max(outlook.floor, outlook.base * multiples[best]!)
  return { request, share: shares[best]!, excess: outlook.base * beyond[best]!, loss: least }
}

const lossOf = (multiple: number, floor: number, time: number, depth: number): number =>
  Math.max(multiple, floor) + time + depth

/** What is expected of a series' next day, as far as shares are at most this one, and how much of the fleet it is. */
export function outlookOf(
  model: BaseModel | null,
  name: BaseName,
  known: KnownSeries,
  experience: Experience = builtInExperience,
  most = 1,
  workspace = new SharesWorkspace(),
): Outlook {
  const shares = expectedShares(model, known, experience[name], most, workspace)
  return {
    base: known.base,
    floor: floors[bases[name].resource],
    smallness: smallnessOf(model, known.base),
    shares,
    beyond: excess(shares, most, workspace.beyond),
  }
}

/** Beyond these a series is as good as nothing, or as good as all, of what the fleet costs. */
const leastSmallness = 1 / 50
const mostSmallness = 50

function smallnessOf(model: BaseModel | null, base: number): number {
  return model === null ? 1 : Math.max(leastSmallness, Math.min(mostSmallness, model.meanBase / base))
}
