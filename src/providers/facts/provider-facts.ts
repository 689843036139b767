import type { ProviderManifest } from '../../domain/manifest.ts'
import type { Offer } from '../../domain/offer.ts'
import type { Provider } from '../../domain/provider.ts'
import type { FactsReader } from '../cloud.ts'
import { DroppedCounts, describeOffers, FilledCounts, offerKey } from '../describe-offers.ts'
import { type FilledMachine, fillMachines, isSized, reasonToLeaveOut } from '../machine.ts'
import { loadOfClouds } from '../providers.ts'
import { sustainedUseCapUsd } from '../sustained-use.ts'
import { type Fact, readFact } from './row.ts'
import type { Sidecars } from './sidecars.ts'

/** How a provider's facts are read. The file is named after the provider's key. */
type FactsFile = FactsReader & { readonly provider: Provider }

export const factsFiles: readonly FactsFile[] = await loadOfClouds(({ provider, facts }) =>
  facts?.().then((reader) => ({ provider, ...reader })),
)

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
  readonly #dropped = new DroppedCounts()
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
      this.#dropped.add(fact, fields.join(','))
      return
    }
    const reason = reasonToLeaveOut(this.#file.fill ?? {}, fact)
    if (reason !== undefined) this.#dropped.add(reason, fields.join(','))
    else this.#facts.push(this.#shared(this.#corrected(fact)))
  }

  finish(sidecars: Sidecars, expansion: ReadonlyMap<string, readonly string[]>): ProviderOffers {
    const { provider, fill = {} } = this.#file
    const machines = fillMachines(this.#facts, fill)
    const filled = new FilledCounts('same type elsewhere')
    const sources = new Map<string, { day: string; rows: number }>()
    const offers = new Map<string, Offer>()
    for (const fact of this.#facts) {
      const { region, instanceType, usageType, term, source, day } = fact
      const machine = machines.get(instanceType)!
      const before = offers.size
      for (const offer of toOffers(this.#file, fact, machine, sidecars, expansion))
        offers.getOrInsert(offerKey(offer), offer)
      const used = offers.size - before
      if (used > 0) filled.add(instanceType, fact, machine, used)
      else this.#dropped.add('repeats an earlier row', `${region},${instanceType},${usageType},${term}`)
      sources.getOrInsert(source, { day, rows: 0 }).rows++
    }
    return describeOffers(
      [...offers.values()],
      {
        provider: provider.key,
        rows: this.#rows,
        currency: sidecars.currencyOf(provider.key),
        filled: filled.all,
        dropped: this.#dropped.all,
      },
      () =>
        [...sources]
          .map(([text, rest]) => ({ text, ...rest }))
          .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0)),
    )
  }

  #corrected(fact: Fact): Fact {
    const { instanceType } = fact
    const vcpus = this.#file.fill?.vcpusOf?.(instanceType)
    const known = this.#acceleratorOf(instanceType)
    return {
      ...fact,
      ...(vcpus != null && fact.vcpus !== null ? { vcpus } : {}),
      ...(known === undefined ? {} : { gpuCount: known.count, gpuName: known.model }),
    }
  }

  /** Otherwise a hundred thousand rows would hold a hundred thousand copies of a region's name. */
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
}

function toOffers(
  { provider, fill = {} }: FactsFile,
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
