import type { DroppedRows, FilledFact, PriceSource, ProviderManifest } from '../../domain/manifest.ts'
import type { Offer } from '../../domain/offer.ts'
import { type FilledMachine, fillMachines, isSized, reasonToLeaveOut } from '../machine.ts'
import { quarantine } from '../quarantine.ts'
import { sustainedUseCapUsd } from '../sustained-use.ts'
import type { FactsFile } from './files.ts'
import { type Fact, readFact } from './row.ts'
import type { Sidecars } from './sidecars.ts'

type AcceleratorOf = (instanceType: string) => { count: number; model: string } | undefined

interface ProviderOffers {
  readonly offers: Offer[]
  readonly manifest: ProviderManifest
}

/** Collects one provider's rows, then turns them into offers. Pure: no files, no clock. */
export class ProviderFacts {
  readonly #file: FactsFile
  readonly #facts: Fact[] = []
  readonly #texts = new Map<string, string>()
  readonly #dropped = new Map<string, { rows: number; example: string }>()
  readonly #acceleratorOf: AcceleratorOf
  #rows = 0

  constructor(file: FactsFile, acceleratorOf: AcceleratorOf = () => undefined) {
    this.#file = file
    this.#acceleratorOf = acceleratorOf
  }

  add(fields: string[]): void {
    this.#rows++
    const fact = readFact(this.#file.provider.key, fields)
    if (typeof fact === 'string') {
      this.#drop(fact, fields.join(','))
      return
    }
    const reason = reasonToLeaveOut(this.#file.fill, fact)
    if (reason !== undefined) this.#drop(reason, fields.join(','))
    else this.#facts.push(this.#shared(this.#corrected(fact)))
  }

  finish(sidecars: Sidecars, expansion: ReadonlyMap<string, readonly string[]>): ProviderOffers {
    const { provider, fill } = this.#file
    const machines = fillMachines(this.#facts, fill)
    const filled = new Map<string, { types: Set<string>; offers: number }>()
    const unknown = { offers: 0, types: new Set<string>() }
    const sources = new Map<string, { day: string; rows: number }>()
    const offers = new Map<string, Offer>()
    for (const fact of this.#facts) {
      const machine = machines.get(fact.instanceType)!
      const factOffers = toOffers(this.#file, fact, machine, sidecars, expansion)
      let used = 0
      for (const offer of factOffers) {
        const key = `${offer.region}\n${offer.zone}\n${offer.instanceType}\n${offer.operatingSystem}\n${offer.usageType}\n${offer.term}`
        if (offers.has(key)) continue
        offers.set(key, offer)
        used++
        if (isSized(offer)) continue
        unknown.types.add(offer.instanceType)
        unknown.offers++
      }
      if (used === 0)
        this.#drop(
          'repeats an earlier row',
          `${fact.region},${fact.instanceType},${fact.usageType},${fact.term}`,
        )
      else count(filled, fact, machine, used)
      const source = sources.get(fact.source)
      if (source === undefined) sources.set(fact.source, { day: fact.day, rows: 1 })
      else source.rows++
    }
    const { kept, quarantined } = quarantine([...offers.values()])
    const manifest: ProviderManifest = {
      provider: provider.key,
      rows: this.#rows,
      offers: kept.length,
      types: new Set(kept.map((offer) => offer.instanceType)).size,
      regions: new Set(kept.map((offer) => offer.region)).size,
      currency: sidecars.currencyOf(provider.key),
      sources: [...sources]
        .map(([text, rest]): PriceSource => ({ text, ...rest }))
        .sort(by((one) => one.text)),
      filled: [...filled]
        .map(([key, value]) => asFilled(key, value))
        .sort(by((one) => `${one.what} ${one.rule}`)),
      unknownSizes: { offers: unknown.offers, types: [...unknown.types].sort() },
      quarantined,
      dropped: [...this.#dropped]
        .map(([reason, rest]): DroppedRows => ({ reason, ...rest }))
        .sort(by((one) => one.reason)),
    }
    return { offers: kept, manifest }
  }

  #corrected(fact: Fact): Fact {
    const { instanceType } = fact
    const vcpus = this.#file.fill.vcpusOf?.(instanceType)
    const known = this.#acceleratorOf(instanceType)
    return {
      ...fact,
      ...(vcpus != null && fact.vcpus !== null ? { vcpus } : {}),
      ...(known === undefined ? {} : { gpuCount: known.count, gpuName: known.model }),
    }
  }

  /**
   * Replaces equal texts by one string. Otherwise a hundred thousand rows would hold a hundred thousand
   * copies of a region's name.
   */
  #shared(fact: Fact): Fact {
    const share = (text: string): string => {
      const seen = this.#texts.get(text)
      if (seen === undefined) this.#texts.set(text, text)
      return seen ?? text
    }
    return {
      ...fact,
      region: share(fact.region),
      zone: share(fact.zone),
      instanceType: share(fact.instanceType),
      gpuName: share(fact.gpuName),
      source: share(fact.source),
      day: share(fact.day),
    }
  }

  #drop(reason: string, example: string): void {
    const seen = this.#dropped.get(reason)
    if (seen === undefined) this.#dropped.set(reason, { rows: 1, example: example.slice(0, 200) })
    else seen.rows++
  }
}

function toOffers(
  { provider, fill }: FactsFile,
  fact: Fact,
  machine: FilledMachine,
  sidecars: Sidecars,
  expansion: ReadonlyMap<string, readonly string[]>,
): Offer[] {
  const { region, zone, instanceType, operatingSystem, usageType, term, pricePerHourUsd, source, day } = fact
  const size = isSized(fact) ? fact : machine
  const skuIds = zone === '' ? sidecars.skuIds({ ...fact, provider: provider.key }) : undefined
  const ownArchitecture = fill.runsAs?.[fact.architecture] ?? fact.architecture
  const offer: Offer = {
    provider: provider.key,
    service: provider.service,
    region,
    zone,
    instanceType,
    operatingSystem,
    usageType,
    term,
    vcpus: size.vcpus,
    ramGib: size.ramGib,
    architecture: ownArchitecture === '' ? machine.architecture : ownArchitecture,
    gpuCount: Math.max(fact.gpuCount ?? 0, machine.gpuCount),
    gpuName: fact.gpuName === '' ? machine.gpuName : fact.gpuName,
    pricePerHourUsd,
    monthlyCapUsd:
      sidecars.monthlyCapUsd(provider.key, region, instanceType) ?? sustainedUseCapUsd(provider, fact),
    burstableBaseline: provider.burstableBaselineOf(instanceType),
    family: provider.familyOf(instanceType),
    source,
    day,
    ...(skuIds === undefined ? {} : { skuIds }),
  }
  return expansion.get(region)?.map((real) => ({ ...offer, region: real })) ?? [offer]
}

function count(
  filled: Map<string, { types: Set<string>; offers: number }>,
  fact: Fact,
  machine: FilledMachine,
  offers: number,
): void {
  const rules = { ...machine.rules }
  if (!isSized(fact) && isSized(machine)) rules.size ??= 'same type elsewhere'
  if (fact.architecture === '' && machine.architecture !== '') rules.architecture ??= 'same type elsewhere'
  for (const [what, rule] of Object.entries(rules)) {
    const key = `${what}\n${rule}`
    const seen = filled.get(key)
    if (seen === undefined) filled.set(key, { types: new Set([fact.instanceType]), offers })
    else {
      seen.types.add(fact.instanceType)
      seen.offers += offers
    }
  }
}

function asFilled(key: string, { types, offers }: { types: Set<string>; offers: number }): FilledFact {
  const [what, rule = ''] = key.split('\n')
  return { what: what as FilledFact['what'], rule, types: types.size, offers }
}

const by =
  <T>(key: (one: T) => string) =>
  (a: T, b: T): number =>
    key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0
