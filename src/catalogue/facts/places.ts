import type { MachineFactsFile } from '../../domain/machine-facts.ts'

export interface KnownPlace {
  readonly provider: string
  readonly region: string
  /** ISO 3166 alpha-2. */
  readonly country: string
  readonly continent: string
  readonly city: string
  readonly latitude: number
  readonly longitude: number
  /** commercial, gov, china, sovereign; commercial-restricted and closed regions are not open to everyone. */
  readonly partition: string
}

export type Point = Pick<KnownPlace, 'latitude' | 'longitude'>

/** Where regions are, and which of them are near each other by distance and by jurisdiction. */
export class Places {
  readonly #byProvider = new Map<string, Map<string, PlaceWithAreas>>()
  readonly #carbon: ReadonlyMap<string, MachineFactsFile['carbon'][number]>
  readonly commercial: readonly KnownPlace[]

  constructor(files: readonly MachineFactsFile[]) {
    for (const row of files.flatMap((file) => file.regions))
      this.#byProvider
        .getOrInsertComputed(row[0], () => new Map())
        .set(row[1].toLowerCase(), withAreas(placeOf(row)))
    this.#carbon = new Map(
      files.flatMap((file) => file.carbon.map((row) => [keyOf(row[0], row[1]), row] as const)),
    )
    this.commercial = this.all().filter(({ partition }) => partition === 'commercial')
  }

  find(provider: string, region: string): KnownPlace | undefined {
    return this.#find(provider, region)?.place
  }

  all(): KnownPlace[] {
    return [...this.#byProvider.values()].flatMap((regions) =>
      [...regions.values()].map(({ place }) => place),
    )
  }

  /**
   * Returns the area of a region, its continent and partition. Regions of one area can replace each other. A
   * region that is unknown or not open to everyone is an area by itself. If none of a provider's regions is known,
   * all are near to all ('').
   */
  area(provider: string, region: string): string {
    if (!this.#byProvider.has(provider)) return ''
    return this.#find(provider, region)?.area ?? keyOf(provider, region)
  }

  /** Returns the area to which a place belongs by distance and jurisdiction, even if the place is not open to everyone. */
  areaAround(provider: string, region: string): string | undefined {
    return this.#find(provider, region)?.areaAround
  }

  /** Finds a point by the name of a region or city, in any letter case, or by "latitude,longitude". */
  locate(name: string): Point | undefined {
    const [, latitude, longitude] = /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*$/.exec(name) ?? []
    if (latitude !== undefined && longitude !== undefined) {
      const point = { latitude: Number(latitude), longitude: Number(longitude) }
      return Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180 ? point : undefined
    }
    const wanted = name.trim().toLowerCase()
    const all = this.all()
    return (
      all.find(({ region }) => region.toLowerCase() === wanted) ??
      all.find(({ city }) => city.toLowerCase().split(',')[0] === wanted)
    )
  }

  nearest(from: Point, maxKm: number): { readonly place: KnownPlace; readonly km: number }[] {
    return this.all()
      .map((place) => ({ place, km: distanceKm(from, place) }))
      .filter(({ km }) => km <= maxKm)
      .sort((a, b) => a.km - b.km)
  }

  carbon(
    provider: string,
    region: string,
  ): { gramsPerKwh: number; year: number | null; scope: string } | undefined {
    const row = this.#carbon.get(keyOf(provider, region))
    return row && { gramsPerKwh: row[2], year: row[3], scope: row[4] }
  }

  #find(provider: string, region: string): PlaceWithAreas | undefined {
    return this.#byProvider.get(provider)?.get(region.toLowerCase())
  }
}

/** A place with the names of its areas, which are built once, because each request needs those of the current machine. */
interface PlaceWithAreas {
  readonly place: KnownPlace
  readonly area: string
  readonly areaAround: string
}

function withAreas(place: KnownPlace): PlaceWithAreas {
  const { provider, region, continent, partition } = place
  const isOpen = openPartitions.has(partition)
  return {
    place,
    area: isOpen ? areaName(continent, partition) : keyOf(provider, region),
    areaAround: areaName(continent, partition.replace(/-restricted$/, '')),
  }
}

const openPartitions: ReadonlySet<string> = new Set(['commercial', 'gov', 'china', 'sovereign'])

const areaName = (continent: string, partition: string): string => `${continent} ${partition}`

export function distanceKm(a: Point, b: Point): number {
  const [p, q] = [radians(a.latitude), radians(b.latitude)]
  const half = Math.sin((q - p) / 2) ** 2
  const across = Math.sin((radians(b.longitude) - radians(a.longitude)) / 2) ** 2
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(half + Math.cos(p) * Math.cos(q) * across)))
}

const earthRadiusKm = 6371
const radians = (degrees: number): number => (degrees * Math.PI) / 180

const keyOf = (provider: string, region: string): string => `${provider}\n${region.toLowerCase()}`

function placeOf(row: MachineFactsFile['regions'][number]): KnownPlace {
  const [provider, region, country, continent, city, latitude, longitude, partition] = row
  return { provider, region, country, continent, city, latitude, longitude, partition }
}
