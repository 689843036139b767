import type { Context } from '../context.ts'
import { type Recipe, recipeNamed } from '../estimators/public-policies.ts'
import type { Resource } from '../input.ts'
import { amount, nameOf, percent, reach } from '../phrases.ts'
import { ladder } from '../risk/ladder.ts'
import type { Sizing } from '../risk/resource-forecast.ts'
import { positionOf } from '../risk/risk-position.ts'
import type { Wish } from '../workload.ts'
import type { Draft } from './draft.ts'

/** Bounds are what two rungs down and two rungs up the ladder would ask. */
const boundRungs = 2

/** What usage asks for, before any care is taken of it. */
export function draftBand(
  draft: Draft,
  resource: Resource,
  sizing: Sizing,
  leader: Sizing | null,
  { model, wish = {} }: Pick<Context, 'model' | 'wish'>,
): void {
  const last = ladder[resource].length - 1
  const place = positionOf(resource, wish, model.risks?.[resource])
  const recipe = recipeOf(wish)
  const asked = (of: Sizing): number => recipe?.[resource](of.view).value ?? of.at(place)
  const at = (position: number): number => Math.max(sizing.at(position), leader?.at(position) ?? 0)
  const [together, alone] = [asked(sizing), leader === null ? 0 : asked(leader)]
  const target = Math.max(together, alone)
  const young = 1 / Math.max(1, sizing.knowledge.age)
  const { long, isOne } = reach(sizing.knowledge.age, sizing.reachHours)
  draft.target = together
  draft.tell(
    deciderOf(wish),
    `${nameOf[resource]}: ${long} of history ${isOne ? 'asks' : 'ask'} for ${amount(resource, together)} ${wordsOf(wish, recipe)}.`,
  )
  draft.target = target
  draft.lower = Math.min(target, at(Math.max(0, place - boundRungs)) / (1 + young / 2))
  draft.upper = Math.max(target, at(Math.min(last, place + boundRungs)) * (1 + young))
  if (alone > together)
    draft.tell(
      'busiest replica',
      `${nameOf[resource]}: one replica is busier than the others all the time, so it is sized for that one: ${amount(resource, alone)}.`,
    )
}

/** The name under which the wish is found among what every policy says. */
export const deciderOf = (wish: Wish): string =>
  recipeOf(wish)?.name ?? (isRisk(wish) ? 'risk' : (wish.profile ?? 'balanced'))

const recipeOf = ({ policy }: Wish): Recipe | undefined =>
  policy === undefined || policy === 'cheapside' ? undefined : recipeNamed(policy)

function wordsOf(wish: Wish, recipe: Recipe | undefined): string {
  if (recipe !== undefined) return `by the public policy ${recipe.name}`
  return isRisk(wish) ? `at a risk of ${percent(wish.risk)}` : `by the profile ${wish.profile ?? 'balanced'}`
}

const isRisk = (wish: Wish): wish is Wish & { readonly risk: number } =>
  wish.risk !== undefined && wish.risk >= 0
