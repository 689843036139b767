import { HistoryWorkspace } from './history/history.ts'
import { PercentileHistogram } from './history/percentile-histogram.ts'
import type { BaseName } from './model/bases.ts'
import { SharesWorkspace } from './model/experience.ts'

/** Memory that forecasts are made in, one after the other: each is good until the next is made. */
export interface ForecastWorkspace {
  readonly history: HistoryWorkspace
  readonly histogram: PercentileHistogram
  readonly shares: Readonly<Record<BaseName, SharesWorkspace>>
}

/** Memory that recommendations are made in, one after the other. A caller that makes many passes the same one each time. */
export class RecommendationWorkspace {
  readonly #histogram = new PercentileHistogram()
  readonly cpu = this.#ofReplicas()
  readonly memory = this.#ofReplicas()

  /** The busiest replica is looked at beside all replicas together. */
  #ofReplicas(): { readonly together: ForecastWorkspace; readonly busiest: ForecastWorkspace } {
    return { together: newForecastWorkspace(this.#histogram), busiest: newForecastWorkspace(this.#histogram) }
  }
}

export function newForecastWorkspace(histogram = new PercentileHistogram()): ForecastWorkspace {
  const of = () => new SharesWorkspace()
  return {
    history: new HistoryWorkspace(),
    histogram,
    shares: { p95: of(), p99: of(), p995: of(), peak: of() },
  }
}
