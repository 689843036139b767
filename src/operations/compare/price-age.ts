const oldAfterDays = 60
const spotMovesAfterDays = 7
const dayMs = 86_400_000

export interface PriceAge {
  readonly age_days: number | null
  /** Older than sixty days. */
  readonly is_old: boolean
  /** A spot price that is older than a week: it has moved since. */
  readonly is_indicative: boolean
}

/** Days are YYYY-MM-DD; '' is not known. */
export function priceAge(day: string, usageType: string, today: string): PriceAge {
  const age = day === '' ? null : Math.round((Date.parse(today) - Date.parse(day)) / dayMs)
  return {
    age_days: age,
    is_old: age !== null && age > oldAfterDays,
    is_indicative: usageType === 'SPOT_PREEMPTIBLE' && age !== null && age > spotMovesAfterDays,
  }
}
