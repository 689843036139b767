import type { paths } from '../api/schema.ts'

export type ComparisonAnswer =
  paths['/v1/comparisons']['post']['responses'][200]['content']['application/json']
export type Option = ComparisonAnswer['options'][number]
export type Effort = Option['effort']
export type Offer = Option['offers'][number]

/** A cheaper offer and the effort to switch to it. */
export interface Candidate {
  readonly id: string
  readonly effort: Effort
  readonly offer: Offer
}

export const candidatesOf = (options: readonly Option[]): Candidate[] =>
  options.flatMap(({ effort, offers }) =>
    offers.map((offer) => ({ id: `${effort} ${placeOf(offer)}`, effort, offer })),
  )

/** Identifies an offer regardless of the effort. */
export const placeOf = (offer: Offer): string =>
  [
    offer.provider,
    offer.region,
    offer.availability_zone,
    offer.instance_type,
    offer.usage_type,
    offer.term ?? '',
  ].join(' ')

const spoken: Record<string, string> = {
  ONDEMAND: 'On demand',
  RESERVED: 'Reserved',
  SPOT_PREEMPTIBLE: 'Spot',
}

/** Formats a usage type and term: RESERVED, 1y-savings-plan -> Reserved, 1y savings plan */
export function paidAs(usageType: string, term: string | null = ''): string {
  const name = spoken[usageType] ?? usageType
  return term === '' || term === null ? name : `${name}, ${term.replaceAll('-', ' ')}`
}

/** Returns the cheapest offer among the options of some efforts. */
export function bestOf(options: readonly Option[], counts: (effort: Effort) => boolean): Offer | undefined {
  return options
    .filter(({ effort }) => counts(effort))
    .flatMap(({ offers }) => offers)
    .reduce<Offer | undefined>(
      (a, b) => (a === undefined || b.cost_per_month < a.cost_per_month ? b : a),
      undefined,
    )
}

/** Formats a term: 3y-savings-plan -> for 3 years, savings plan */
export function commitmentText({ term }: Pick<Offer, 'term'>): string {
  const [, years, kind] = /^(\d+)y(?:-(.*))?$/.exec(term ?? '') ?? []
  if (years === undefined) return 'reserved'
  return `for ${years} ${years === '1' ? 'year' : 'years'}, ${kind?.replaceAll('-', ' ') ?? 'reserved'}`
}
