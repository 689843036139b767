import { positionOf } from './dial.ts'
import type { SizingModel } from './experience.ts'
import type { Resource } from './input.ts'
import { ladder } from './ladder.ts'
import { recipeNamed } from './recipes.ts'
import type { Sizing } from './sizing.ts'
import { percent } from './words.ts'
import type { Wish } from './workload.ts'

/** Bounds are what two rungs down and two rungs up the ladder would ask. */
const boundRungs = 2

/** Target and bounds while care is taken of them. */
export interface Band {
  target: number
  lower: number
  upper: number
}

export function bandOf(
  resource: Resource,
  sizing: Sizing,
  leader: Sizing | null,
  model: SizingModel,
  wish: Wish,
  reasons: string[],
): Band {
  const last = ladder[resource].length - 1
  const place = positionOf(resource, wish, model.risks?.[resource])
  const at = (position: number): number => {
    const asked = [sizing, leader].flatMap((one) => (one === null ? [] : [one.at(position)]))
    return Math.max(...asked)
  }
  const recipe =
    wish.policy === undefined || wish.policy === 'cheapside' ? undefined : recipeNamed(wish.policy)
  const target = recipe?.[resource]((leader ?? sizing).view).value ?? at(place)
  if (recipe) reasons.push(`By the public policy ${recipe.name}.`)
  if (leader !== null && leader.at(place) > sizing.at(place))
    reasons.push('One replica is busier than the others all the time: sized for that one.')
  const young = 1 / Math.max(1, sizing.knowledge.age)
  return {
    target,
    lower: Math.min(target, at(Math.max(0, place - boundRungs)) / (1 + young / 2)),
    upper: Math.max(target, at(Math.min(last, place + boundRungs)) * (1 + young)),
  }
}

/** An autoscaler that keeps usage at a share of the request would add replicas if the request fell below usage / share. */
export function keepUtilisation(
  band: Band,
  needed: number,
  current: number | null,
  target: number,
  reasons: string[],
): void {
  const floor = Math.min(needed, current ?? needed)
  if (floor <= band.target) return
  raise(band, floor)
  const text = current !== null && floor === current ? 'left as it is' : 'kept high enough'
  reasons.push(
    `An autoscaler holds usage at ${percent(target)} of the request: ${text}, lest it add replicas.`,
  )
}

export function raise(band: Band, floor: number): void {
  band.target = Math.max(band.target, floor)
  band.lower = Math.max(band.lower, Math.min(floor, band.target))
  band.upper = Math.max(band.upper, band.target)
}
