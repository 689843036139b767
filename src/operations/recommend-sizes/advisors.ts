import { type ProfileName, profileNames } from '../../rightsizing/ladder.ts'
import type { SizingModel } from '../../rightsizing/model.ts'
import { publicRecipes, recipeNamed } from '../../rightsizing/recipes.ts'
import type { Advisor } from './advice.ts'
import { adviseByFleet } from './advise-by-fleet.ts'
import { adviseByRecipe } from './advise-by-recipe.ts'

const usual: ProfileName = 'balanced'

/** Names that a caller may give as profile, the usual one first; the public policies are there to compare with. */
export const profiles: readonly string[] = [
  usual,
  ...profileNames.filter((name) => name !== usual),
  ...publicRecipes.map(({ name }) => name),
]

export function advisorNamed(profile: string, model: SizingModel | undefined): Advisor | undefined {
  const own = profileNames.find((name) => name === profile)
  if (own !== undefined) return adviseByFleet(own, model)
  const recipe = recipeNamed(profile)
  return recipe && adviseByRecipe(recipe)
}
