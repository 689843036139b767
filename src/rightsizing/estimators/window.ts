import { dayHours } from '../../domain/time.ts'
import { firstSpanWithin } from '../history/history.ts'
import { windowQuantile } from '../history/window-quantile.ts'
import { type Estimator, estimator } from './estimator.ts'

export const percentile = (percent: number, windowDays: number): Estimator =>
  estimator(`p${percent} of the last ${windowDays} days`, (view) =>
    windowQuantile(view, windowDays * dayHours, percent / 100),
  )

export const peak = (windowDays: number): Estimator =>
  estimator(`highest of the last ${windowDays} days`, (view) => {
    let highest: number | null = null
    for (let i = firstSpanWithin(view, windowDays * dayHours); i < view.spans; i++)
      highest = Math.max(highest ?? 0, view.history.peaks[i]!)
    return highest
  })
