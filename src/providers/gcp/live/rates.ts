import type { GcpRate, GcpUsage } from './sku.ts'

export class GcpRates {
  readonly #rates = new Map<string, GcpRate>()
  readonly #regions = new Map<string, Set<string>>()

  add(rate: GcpRate): void {
    const regions = rate.regions.length === 0 ? ['global'] : rate.regions
    for (const region of regions) {
      const key = keyOf(rate.of, rate.resource, rate.usage, region)
      const other = this.#rates.get(key)
      if (other === undefined || rate.order > other.order) this.#rates.set(key, rate)
      if (rate.resource !== 'core') continue
      const known = this.#regions.get(rate.of) ?? new Set()
      this.#regions.set(rate.of, known.add(region))
    }
  }

  get size(): number {
    return this.#rates.size
  }

  /** Returns the rate of a region, else the global rate, which licences have. */
  find(of: string, resource: GcpRate['resource'], usage: GcpUsage, region: string): GcpRate | undefined {
    return (
      this.#rates.get(keyOf(of, resource, usage, region)) ??
      this.#rates.get(keyOf(of, resource, usage, 'global'))
    )
  }

  regionsOf(series: string): ReadonlySet<string> {
    return this.#regions.get(series) ?? new Set()
  }

  get series(): string[] {
    return [...this.#regions.keys()]
  }
}

const keyOf = (of: string, resource: string, usage: string, region: string): string =>
  `${of}\n${resource}\n${usage}\n${region}`
