import type { paths } from '../api/schema.ts'

export type ComparisonAnswer =
  paths['/v1/comparisons']['post']['responses'][200]['content']['application/json']
export type Option = ComparisonAnswer['options'][number]
export type Effort = Option['effort']
export type Offer = Option['offers'][number]

/** An offer that costs less, and what it takes to take it up. */
export interface Candidate {
  readonly id: string
  readonly effort: Effort
  readonly offer: Offer
}

export const candidatesOf = (options: readonly Option[]): Candidate[] =>
  options.flatMap(({ effort, offers }) =>
    offers.map((offer) => ({ id: `${effort} ${placeOf(offer)}`, effort, offer })),
  )

/** Names an offer whatever the effort that leads to it. */
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

/** RESERVED, 1y-savings-plan -> Reserved, 1y savings plan */
export function paidAs(usageType: string, term: string | null = ''): string {
  const name = spoken[usageType] ?? usageType
  return term === '' || term === null ? name : `${name}, ${term.replaceAll('-', ' ')}`
}
