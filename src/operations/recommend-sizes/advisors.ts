import { publicRecipes } from '../../rightsizing/recipes.ts'
import type { Advisor } from './advice.ts'
import { adviseByRecipe } from './advise-by-recipe.ts'

/** Names that a caller may give as profile, the usual one first; the public policies are there to compare with. */
export const profiles: readonly string[] = [
  'balanced',
  'cost',
  'safe',
  ...publicRecipes.map(({ name }) => name),
]

export function advisorNamed(profile: string): Advisor | undefined {
  const recipe = publicRecipes.find(({ name }) => name === (standIns[profile] ?? profile))
  return recipe && adviseByRecipe(recipe)
}

const standIns: Readonly<Record<string, string>> = {
  balanced: 'krr-p99',
  cost: 'krr-simple',
  safe: 'aws-compute-optimizer',
}
