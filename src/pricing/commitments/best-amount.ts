/** Usage on demand in hours that are alike, which a commitment of dollars an hour could cover. */
export interface HoursOfUse {
  readonly hours: number
  readonly uses: readonly CoverableUse[]
}

export interface CoverableUse {
  readonly onDemandUsd: number
  readonly committedUsd: number
}

export interface AmountAssessment {
  /** US dollars an hour. */
  readonly amountUsd: number
  /** What an hour is expected to cost: the commitment, and what it does not cover on demand. */
  readonly costUsd: number
  readonly used: number
  readonly underUsedHours: number
}

/**
 * Returns the amount with the least expected cost, if the hours are those to come. A dollar more is worth what it covers in
 * each hour, the highest discount first, so the cost is convex and its least is at the end of some usage. The slow twin in the
 * test tries them all.
 */
export function bestAmount(all: readonly HoursOfUse[]): number {
  const total = hoursIn(all)
  const ends: { readonly atUsd: number; readonly lessWorth: number }[] = []
  let worth = 0
  for (const { hours, uses } of all) {
    const sorted = byDiscount(uses)
    const worthOf = (index: number): number => {
      const use = sorted[index]
      return use === undefined ? 0 : (hours / total) * (use.onDemandUsd / use.committedUsd)
    }
    worth += worthOf(0)
    let atUsd = 0
    for (const [index, { committedUsd }] of sorted.entries()) {
      atUsd += committedUsd
      ends.push({ atUsd, lessWorth: worthOf(index) - worthOf(index + 1) })
    }
  }
  if (worth <= 1 + tolerance) return 0
  for (const { atUsd, lessWorth } of ends.sort((a, b) => a.atUsd - b.atUsd)) {
    worth -= lessWorth
    if (worth <= 1 + tolerance) return atUsd
  }
  return 0
}

/** What is left over by adding fractions. */
const tolerance = 1e-9

export function assessAmount(all: readonly HoursOfUse[], amountUsd: number): AmountAssessment {
  const total = hoursIn(all)
  let [leftUsd, usedUsd, underUsed] = [0, 0, 0]
  for (const { hours, uses } of all) {
    let dollars = amountUsd
    for (const { onDemandUsd, committedUsd } of byDiscount(uses)) {
      const share = Math.min(1, dollars / committedUsd)
      dollars -= share * committedUsd
      leftUsd += hours * (1 - share) * onDemandUsd
    }
    usedUsd += hours * (amountUsd - dollars)
    if (dollars > tolerance * amountUsd) underUsed += hours
  }
  return {
    amountUsd,
    costUsd: amountUsd + leftUsd / total,
    used: amountUsd > 0 ? usedUsd / total / amountUsd : 1,
    underUsedHours: underUsed / total,
  }
}

export const largestAmount = (all: readonly HoursOfUse[]): number =>
  all.reduce(
    (most, { uses }) =>
      Math.max(
        most,
        uses.reduce((sum, { committedUsd }) => sum + committedUsd, 0),
      ),
    0,
  )

const hoursIn = (all: readonly HoursOfUse[]): number => all.reduce((sum, { hours }) => sum + hours, 0)

const byDiscount = (uses: readonly CoverableUse[]): CoverableUse[] =>
  uses
    .filter(({ committedUsd }) => committedUsd > 0)
    .sort((a, b) => a.committedUsd / a.onDemandUsd - b.committedUsd / b.onDemandUsd)
