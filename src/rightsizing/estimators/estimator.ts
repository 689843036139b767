import type { HistoryView } from '../history/history.ts'

/** The result of one estimator and of those that it is derived from; null without enough data. */
export interface Estimate {
  readonly says: string
  readonly value: number | null
  readonly from: readonly Estimate[]
}

export type Estimator = (view: HistoryView) => Estimate

/** An estimator that reads usage itself, and is not derived from other estimators. */
export const estimator =
  (says: string, value: (view: HistoryView) => number | null): Estimator =>
  (view) => ({ says, value: value(view), from: [] })

/** Adds headroom: margin(1.15, p95) is 15% more than the 95th percentile. */
export const margin =
  (factor: number, estimate: Estimator): Estimator =>
  (view) => {
    const inner = estimate(view)
    const says = `times ${shortNumber(factor)}`
    return { says, value: inner.value === null ? null : inner.value * factor, from: [inner] }
  }

export const atLeast =
  (floor: number, unit: string, estimate: Estimator): Estimator =>
  (view) => {
    const inner = estimate(view)
    const value = inner.value === null ? null : Math.max(floor, inner.value)
    return { says: `at least ${shortNumber(floor)} ${unit}`, value, from: [inner] }
  }

/** 1 / 0.7 -> 1.43. */
const shortNumber = (value: number): number => Number(value.toPrecision(3))

/** Returns the estimates that led to the value, outermost first. Of several inputs, the largest is followed. */
export function decidedBy(estimate: Estimate): Estimate[] {
  const known = estimate.from.filter(({ value }) => value !== null)
  const next = known.reduce<Estimate | null>((a, b) => (a === null || b.value! > a.value! ? b : a), null)
  return next === null ? [estimate] : [estimate, ...decidedBy(next)]
}
