import { decidedBy, type Estimate } from '../../rightsizing/estimators/estimator.ts'
import { resourceHistory, viewAt } from '../../rightsizing/history.ts'
import type { Resource, UsageSpan } from '../../rightsizing/input.ts'
import type { Recipe } from '../../rightsizing/recipes.ts'
import type { Advisor, Band } from './advice.ts'

/** Less than this, and any number would be a guess. */
const leastHours = 1
/** Days after which a recipe's answer is trusted as much as it ever is. */
const fullConfidenceDays = 14

/** A public policy, as its authors publish it: it knows of usage alone. */
export const adviseByRecipe =
  (recipe: Recipe): Advisor =>
  ({ spans, atHour }) => {
    const ran = spans.filter(({ cpu, memory }) => cpu !== null || memory !== null)
    const hours = ran.reduce((sum, span) => sum + span.hours, 0)
    if (hours < leastHours)
      return {
        cpu: null,
        memory: null,
        confidence: 0,
        reasons: ['Too little data: less than an hour of usage, so there is no recommendation.'],
        explanation: { cpu: null, memory: null },
      }
    const days = hours / 24
    const [cpu, memory] = [estimate(recipe, spans, 'cpu', atHour), estimate(recipe, spans, 'memory', atHour)]
    return {
      cpu: bandOf(cpu, days),
      memory: bandOf(memory, days),
      confidence: Math.min(1, days / fullConfidenceDays),
      reasons: [
        `Sized as ${recipe.name} does.`,
        ...(cpu.value === null ? ['No CPU usage was seen, so there is no recommendation for it.'] : []),
        ...(memory.value === null ? ['No memory usage was seen, so there is no recommendation for it.'] : []),
      ],
      explanation: { cpu: { ...cpu, decided: says(cpu) }, memory: { ...memory, decided: says(memory) } },
    }
  }

const estimate = (
  recipe: Recipe,
  spans: readonly UsageSpan[],
  resource: Resource,
  atHour: number,
): Estimate => recipe[resource](viewAt(resourceHistory(spans, resource), atHour))

const says = (estimate: Estimate): string[] => decidedBy(estimate).map((one) => one.says)

/** Wide while young, as the Vertical Pod Autoscaler has it: a day old, half to twice; after a month, 3% either way. */
function bandOf({ value }: Estimate, days: number): Band | null {
  if (value === null) return null
  const width = 1 + 1 / Math.max(days, 1 / 24)
  return { target: value, lower: value / width, upper: value * width }
}
