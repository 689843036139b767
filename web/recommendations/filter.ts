import { usePlace } from '../state/router.ts'
import { useCluster } from '../usage/period.ts'
import { findingWords, kindWords, riskWords, stateWords } from './facet-words.ts'

/** Which recommendations are shown, as stored in the address. Several values of a facet are separated by commas. */
export interface RecommendationFilter {
  readonly kind?: string
  readonly state?: string
  readonly risk?: string
  readonly finding?: string
  readonly cluster?: string
  readonly namespace?: string
  readonly q?: string
  readonly min_worth?: number
  readonly min_confidence?: number
}

/** The service lists open recommendations unless it is asked for others, so "no state chosen" needs a value. */
export const anyState = 'all'

const facets = { kind: kindWords, state: stateWords, risk: riskWords, finding: findingWords } as const
const texts = ['namespace', 'q'] as const
/** The greatest value of each. */
const numbers = { min_worth: Number.MAX_VALUE, min_confidence: 1 } as const

export function useRecommendationFilter(): RecommendationFilter {
  const { params } = usePlace()
  const cluster = useCluster()
  return { ...filterOf(params), ...(cluster === undefined ? {} : { cluster }) }
}

/** Values that are not valid are left out; see ignoredFilters. */
export function filterOf(params: URLSearchParams): RecommendationFilter {
  const filter: Record<string, string | number> = {}
  for (const [name, words] of Object.entries(facets)) {
    const known = valuesOf(params, name).filter(isKnownIn(words))
    if (known.length > 0) filter[name] = known.join(',')
  }
  for (const name of texts) {
    const value = params.get(name)
    if (value) filter[name] = value
  }
  for (const [name, most] of Object.entries(numbers)) {
    const value = Number(params.get(name))
    if (value > 0 && value <= most) filter[name] = value
  }
  return filter
}

/** Returns the filters of the address that are not valid, such as "state=closed". */
export function ignoredFilters(params: URLSearchParams): string[] {
  const ofFacets = Object.entries(facets).flatMap(([name, words]) => {
    const values = valuesOf(params, name)
    const known = values.filter(isKnownIn(words))
    return values.filter((value) => !known.includes(value)).map((value) => `${name}=${value}`)
  })
  const ofNumbers = Object.entries(numbers).flatMap(([name, most]) => {
    const text = params.get(name) ?? ''
    return Number(text) >= 0 && Number(text) <= most ? [] : [`${name}=${text}`]
  })
  return [...ofFacets, ...ofNumbers]
}

const valuesOf = (params: URLSearchParams, name: string): string[] =>
  (params.get(name) ?? '')
    .split(',')
    .map((value) => value.trim().toLowerCase())
    .filter((value) => value !== '')

const isKnownIn =
  (words: Readonly<Record<string, string>>) =>
  (value: string, _: number, { length }: readonly string[]): boolean =>
    Object.hasOwn(words, value) || (value === anyState && length === 1)

/** Returns the states whose checkboxes are checked. */
export const chosenStates = ({ state = 'open' }: RecommendationFilter): string | undefined =>
  state === anyState ? undefined : state

/** Adds a value of a facet, or removes it. */
export function toggled(values: string | undefined, value: string): string | undefined {
  const before = values?.split(',') ?? []
  const after = before.includes(value) ? before.filter((each) => each !== value) : [...before, value]
  return after.length === 0 ? undefined : after.join(',')
}
