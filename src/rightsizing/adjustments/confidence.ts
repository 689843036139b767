import type { UsageSpan } from '../input.ts'
import type { SizingModel } from '../model/experience.ts'

/** More days, fewer gaps and a model of its own make it surer: one day 0.27, a week 0.74, a month 0.91 with a model. */
export function confidenceOf(
  age: number,
  spans: readonly UsageSpan[],
  { atHour, model }: { readonly atHour: number; readonly model: SizingModel },
): number {
  const daysSince = Math.max(1, Math.ceil((atHour - spans[0]!.startHour) / 24))
  const gaps = Math.min(1, age / daysSince)
  const learnt = model.p99 === undefined ? 0.8 : 1
  return Math.min(1, (age / (age + 2.5)) * gaps ** 0.5 * learnt)
}

/** The same without gaps and without a model of its own: a day 0.23, a week 0.59, a month 0.74. */
export const confidenceOfDays = (days: number): number => (days / (days + 2.5)) * 0.8

/** Has samples in less than a third of the hours since it was first seen, and that for two days or more. */
export function isIntermittent(spans: readonly UsageSpan[]): boolean {
  const reach = spans.at(-1)!.startHour - spans[0]!.startHour + 1
  return reach >= 48 && coveredHours(spans) < reach / 3
}

export const coveredHours = (spans: readonly UsageSpan[]): number =>
  spans.reduce((sum, { hours }) => sum + hours, 0)
