import { dayHours } from '../../domain/time.ts'
import { firstSpanWithin } from '../history/history.ts'
import { interpolatedQuantile, ranking } from '../history/ranking.ts'
import { type Estimator, estimator } from './estimator.ts'

export const percentile = (percent: number, windowDays: number): Estimator =>
  estimator(`p${percent} of the last ${windowDays} days`, (view) =>
    interpolatedQuantile(
      ranking(view, windowDays * dayHours, () => 1),
      percent / 100,
    ),
  )

export const peak = (windowDays: number): Estimator =>
  estimator(`highest of the last ${windowDays} days`, (view) => {
    let highest: number | null = null
    for (let i = firstSpanWithin(view, windowDays * dayHours); i < view.spans; i++)
      highest = Math.max(highest ?? 0, view.history.peaks[i]!)
    return highest
  })
