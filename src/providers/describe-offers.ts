import type { DroppedRows, FilledFact, ProviderManifest } from '../domain/manifest.ts'
import type { KnownZone, Offer } from '../domain/offer.ts'
import type { Provider } from '../domain/provider.ts'
import { type FilledMachine, isSized, type MachineType } from './machine.ts'
import { quarantine } from './quarantine.ts'

/** Returns a key of everything that distinguishes one price of a provider from another. */
export const offerKey = (o: Omit<Offer, 'pricePerHourUsd'>): string =>
  `${o.instanceType}\n${o.operatingSystem}\n${o.usageType}\n${o.term}\n${o.region}\n${o.zone}`

/** Rows that were left out, by reason, each with its first example. */
export class DroppedCounts {
  readonly #dropped = new Map<string, { rows: number; example: string }>()

  add(reason: string, example: string, rows = 1): void {
    const seen = this.#dropped.get(reason)
    if (seen === undefined) this.#dropped.set(reason, { rows, example: example.slice(0, 200) })
    else seen.rows += rows
  }

  /** Sorted by reason. */
  get all(): DroppedRows[] {
    return [...this.#dropped].sort(byKey).map(([reason, rest]) => ({ reason, ...rest }))
  }
}

/** Counts what the rows themselves did not say, by the rule that filled it. */
export class FilledCounts {
  readonly #filled = new Map<string, { types: Set<string>; offers: number }>()
  readonly #elsewhere: string

  /** `elsewhere` names where a fact came from that no rule filled. */
  constructor(elsewhere: string) {
    this.#elsewhere = elsewhere
  }

  add(instanceType: string, listed: MachineType | null, machine: FilledMachine, offers = 1): void {
    const rules = { ...machine.rules }
    if ((listed === null || !isSized(listed)) && isSized(machine)) rules.size ??= this.#elsewhere
    if ((listed?.architecture ?? '') === '' && machine.architecture !== '')
      rules.architecture ??= this.#elsewhere
    for (const [what, rule] of Object.entries(rules)) {
      const filled = this.#filled.getOrInsertComputed(`${what}\n${rule}`, () => ({
        types: new Set(),
        offers: 0,
      }))
      filled.types.add(instanceType)
      filled.offers += offers
    }
  }

  get all(): FilledFact[] {
    return [...this.#filled].sort(byKey).map(([key, { types, offers }]) => {
      const [what, rule = ''] = key.split('\n')
      return { what: what as FilledFact['what'], rule, types: types.size, offers }
    })
  }
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0

/** Quarantines absurd prices, and describes the offers that are left. */
export function describeOffers(
  all: readonly Offer[],
  known: Pick<ProviderManifest, 'provider' | 'rows' | 'currency' | 'filled' | 'dropped' | 'exchange'>,
  sourcesOf: (offers: readonly Offer[]) => ProviderManifest['sources'],
): { readonly offers: Offer[]; readonly manifest: ProviderManifest } {
  const { kept: offers, quarantined } = quarantine(all)
  const unsized = offers.filter((offer) => !isSized(offer))
  const manifest: ProviderManifest = {
    ...known,
    offers: offers.length,
    types: new Set(offers.map((offer) => offer.instanceType)).size,
    regions: new Set(offers.map((offer) => offer.region)).size,
    sources: sourcesOf(offers),
    unknownSizes: {
      offers: unsized.length,
      types: [...new Set(unsized.map((offer) => offer.instanceType))].sort(),
    },
    quarantined,
  }
  return { offers, manifest }
}

/** Returns zones that are listed, that prices name, or that every region has, but only of regions with offers. */
export function zonesOfOffers(
  { key, zonesOfEveryRegion = [] }: Provider,
  offers: readonly Offer[],
  listed: Iterable<{ readonly region: string; readonly zone: string }>,
): KnownZone[] {
  const regions = new Set(offers.map((offer) => offer.region))
  const found = new Map<string, KnownZone>()
  const add = (region: string, zone: string) => {
    if (zone !== '' && regions.has(region)) found.set(`${region}\n${zone}`, { provider: key, region, zone })
  }
  for (const { region, zone } of listed) add(region, zone)
  for (const { region, zone } of offers) add(region, zone)
  for (const region of regions) for (const zone of zonesOfEveryRegion) add(region, zone)
  return [...found].sort(byKey).map(([, zone]) => zone)
}
