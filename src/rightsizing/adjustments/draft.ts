import type { Band, RecommendationStep } from '../workload.ts'

/** A band in the making, and every step that led to it. */
export class DraftBand implements Band {
  target = Number.NaN
  lower = Number.NaN
  upper = Number.NaN
  /** A request between these is as good as the target at nearly the same risk; NaN where only the target is. */
  keptFrom = Number.NaN
  keptTo = Number.NaN
  readonly steps: RecommendationStep[] = []

  tell(by: string, says: string): void {
    this.steps.push({ by, says, value: Number.isNaN(this.target) ? null : this.target })
  }

  raise(floor: number): void {
    this.target = Math.max(this.target, floor)
    this.lower = Math.max(this.lower, Math.min(floor, this.target))
    this.upper = Math.max(this.upper, this.target)
    this.keptFrom = Math.max(this.keptFrom, floor)
  }

  lowerTo(ceiling: number): void {
    this.target = Math.min(this.target, ceiling)
    this.lower = Math.min(this.lower, this.target)
    this.keptTo = Math.min(this.keptTo, ceiling)
  }
}
