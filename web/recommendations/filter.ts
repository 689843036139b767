import { useCluster } from '../app/period.ts'
import { usePlace } from '../app/router.ts'

/** Which recommendations are shown, as stored in the address. Several values of a facet are separated by commas. */
export interface AdviceFilter {
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

const texts = ['kind', 'state', 'risk', 'finding', 'namespace', 'q'] as const
const numbers = ['min_worth', 'min_confidence'] as const

export function useAdviceFilter(): AdviceFilter {
  const { params } = usePlace()
  const cluster = useCluster()
  return { ...filterOf(params), ...(cluster === undefined ? {} : { cluster }) }
}

export function filterOf(params: URLSearchParams): AdviceFilter {
  const filter: Record<string, string | number> = {}
  for (const name of texts) {
    const value = params.get(name)
    if (value) filter[name] = value
  }
  for (const name of numbers) {
    const value = Number(params.get(name))
    if (value > 0) filter[name] = value
  }
  return filter
}

/** The service lists open recommendations unless it is asked for others, so "no state chosen" needs a value. */
export const anyState = 'all'

/** Returns the states whose checkboxes are checked. */
export const chosenStates = ({ state = 'open' }: AdviceFilter): string | undefined =>
  state === anyState ? undefined : state

/** Adds a value of a facet, or removes it. */
export function toggled(values: string | undefined, value: string): string | undefined {
  const before = values?.split(',') ?? []
  const after = before.includes(value) ? before.filter((each) => each !== value) : [...before, value]
  return after.length === 0 ? undefined : after.join(',')
}
