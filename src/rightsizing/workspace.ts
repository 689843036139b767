import { HistoryWorkspace } from './history/history.ts'
import { PercentileHistogram } from './history/percentile-histogram.ts'

/** Memory that forecasts are made in, one after the other: each is good until the next is made. */
export interface ForecastWorkspace {
  readonly history: HistoryWorkspace
  readonly histogram: PercentileHistogram
}

/** Memory that recommendations are made in, one after the other. A caller that makes many passes the same one each time. */
export class RecommendationWorkspace {
  readonly forecast: ForecastWorkspace = newForecastWorkspace()
  /** The busiest pod is looked at beside all pods together. */
  readonly busiest: ForecastWorkspace = {
    history: new HistoryWorkspace(),
    histogram: this.forecast.histogram,
  }
}

export function newForecastWorkspace(): ForecastWorkspace {
  return { history: new HistoryWorkspace(), histogram: new PercentileHistogram() }
}
