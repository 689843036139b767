import { gridBelow, gridSize, logMultiples, multiples } from '../model/grid.ts'

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
  /** Expected share above the request, and usage above it in bases. */
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
  let best = gridSize - 1
  let least = Number.POSITIVE_INFINITY
  for (let k = gridSize - 1; k >= 0; k--) {
    const share = shares[k]!
    if (!(share <= mostShare)) break
    const loss = lossOf(multiples[k]!, floor, time * share, depth * beyond[k]!)
    if (loss > least) continue
    least = loss
    best = k
  }
  const request = Math.max(outlook.floor, outlook.base * multiples[best]!)
  return { request, share: shares[best]!, excess: beyond[best]!, loss: least }
}

/** What a given request is expected to go through. */
export function evaluateRequest(outlook: Outlook, prices: RiskPrices, request: number): Decision {
  const logMultiple = Math.log(Math.max(request, 1e-12) / outlook.base)
  const k = gridBelow(logMultiple)
  const next = Math.min(k + 1, gridSize - 1)
  const width = logMultiples[next]! - logMultiples[k]!
  const part = width > 0 ? Math.max(0, Math.min(1, (logMultiple - logMultiples[k]!) / width)) : 0
  const { beyond } = outlook
  const share = outlook.shares[k]! * (1 - part) + outlook.shares[next]! * part
  const over = beyond[k]! * (1 - part) + beyond[next]! * part
  const loss = lossAt(outlook, prices, request / outlook.base, share, over)
  return { request, share, excess: over, loss }
}

/** A smaller change disturbs no one, so it is applied directly. */
const smallChange = 0.1
const stepDown = 0.901

/**
 * Where a much different answer would save less than this part of the loss the last one stands, or comes down by no more
 * than a small change.
 */
export function decideWithInertia(
  outlook: Outlook,
  prices: RiskPrices,
  last: number | null,
  inertia: number,
): Decision & { readonly kept: boolean } {
  const fresh = decide(outlook, prices)
  if (last === null || !(last > 0) || Math.abs(fresh.request / last - 1) <= smallChange)
    return { ...fresh, kept: false }
  const stay = evaluateRequest(outlook, prices, last)
  const bearable = stay.share <= Math.max(prices.mostShare, fresh.share) * 1.2
  if (!bearable || stay.loss - fresh.loss >= inertia * fresh.loss) return { ...fresh, kept: false }
  const kept = fresh.request < last ? evaluateRequest(outlook, prices, last * stepDown) : stay
  return { ...kept, kept: true }
}

const lossAt = (
  { floor, base, smallness }: Outlook,
  { time, depth }: RiskPrices,
  multiple: number,
  share: number,
  over: number,
): number => lossOf(multiple, floor / base, time * smallness * share, depth * over)

const lossOf = (multiple: number, floor: number, time: number, depth: number): number =>
  Math.max(multiple, floor) + time + depth
