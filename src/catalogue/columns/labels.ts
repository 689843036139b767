import type { Term } from '../../domain/offer.ts'
import { type LabelOrigin, type PriceLabels, type ProviderRegion, termNames } from './columns.ts'
import { Dictionary, type IdArray, idArray, narrowIds } from './dictionary.ts'

export function offerPlaces(label: IdArray, labels: PriceLabels, places: number): IdArray {
  const place = idArray(label.length, places)
  for (let i = 0; i < label.length; i++) place[i] = labels.place[label[i]!]!
  return place
}

export class LabelDictionary {
  readonly #ids = new Dictionary()
  readonly #origins = new Dictionary()
  readonly #originOf: LabelOrigin[] = []
  readonly #rows: (readonly [number, number, number, number])[] = []

  id(place: number, term: Term, zone: number, { source, day }: LabelOrigin): number {
    const origin = this.#origins.id(`${day}\n${source}`)
    if (origin === this.#originOf.length) this.#originOf.push({ source, day })
    const row = [place, termNames.indexOf(term), zone, origin] as const
    const id = this.#ids.id(row.join())
    if (id === this.#rows.length) this.#rows.push(row)
    return id
  }

  labels(places: number, zones: number): PriceLabels {
    const column = (at: 0 | 2 | 3, values: number) =>
      narrowIds(
        this.#rows.map((row) => row[at]),
        values,
      )
    return {
      place: column(0, places),
      term: Uint8Array.from(this.#rows, ([, term]) => term),
      zone: column(2, zones),
      origin: column(3, this.#originOf.length),
      origins: this.#originOf,
    }
  }
}

export class RegionDictionary {
  readonly values: ProviderRegion[] = []
  readonly #ids = new Map<string, Map<string, number>>()

  id(provider: string, region: string): number {
    let regions = this.#ids.get(provider)
    if (regions === undefined) {
      regions = new Map()
      this.#ids.set(provider, regions)
    }
    let id = regions.get(region)
    if (id === undefined) {
      id = this.values.length
      regions.set(region, id)
      this.values.push({ provider, region })
    }
    return id
  }
}
