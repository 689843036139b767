import type { ProviderRegion } from './columns.ts'

/** Gives each provider's region an id in order of appearance. */
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
