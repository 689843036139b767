import { hoursPerMonth, roundSum } from '../../domain/money.ts'
import type { Offer } from '../../domain/offer.ts'
import { type Clock, dayOf } from '../../domain/time.ts'
import type { Yielder } from '../../runtime/yielder.ts'
import { type Entity, entityKey, isSilentSince, readEntities } from '../../usage/digest/entities.ts'
import type { CommittedMachine } from '../compare/committed-first.ts'
import { examinedTypes } from '../compare/faster-first.ts'
import { type Market, marketOf, type PricingDeps } from '../market.ts'
import type { NodePriceDeps } from '../price-node.ts'
import { type Commitment, isActiveOn, lastDayOf, type RunningKind } from './commitment.ts'
import { coverHour, coverSteps, type HourCoverage } from './cover-hour.ts'
import type { Replacement } from './replaced-kinds.ts'
import { costPerHour, kindOfOffer, planRates, type RunningMachines, runningKinds } from './running-kinds.ts'
import type { CommittedSaving } from './schema.ts'

export interface CoveredHourDeps {
  readonly pricing: PricingDeps
  readonly store: { readonly usage: NodePriceDeps['usage'] }
  readonly now: Clock
}

export async function readCoveredHour(
  deps: CoveredHourDeps,
  organisation: string,
): Promise<CoveredHour | undefined> {
  const commitments = (await deps.pricing.commitments?.(organisation)) ?? []
  const hour = await openHour(deps, organisation, commitments)
  return hour.active.length === 0 ? undefined : hour
}

/** Applies commitments, those in force today, to what an organisation runs in this hour. */
export async function openHour(
  { pricing, store, now }: CoveredHourDeps,
  organisation: string,
  commitments: readonly Commitment[],
  yielder?: Yielder,
): Promise<CoveredHour> {
  const [market, nowMs] = [await marketOf(pricing, organisation), now()]
  const active = commitments.filter((commitment) => isActiveOn(commitment, dayOf(nowMs)))
  const entities = await readEntities(store.usage, organisation, { kinds: ['node', 'machine'] })
  const current = [...entities.values()].filter(({ lastHour }) => !isSilentSince(lastHour, nowMs))
  const machines = runningKinds(pricing, market, current)
  const steps = coverSteps(active, kindsOf(machines), planRates(market))
  for (let next = steps.next(); ; next = steps.next()) {
    if (next.done) return new CoveredHour(pricing, market, active, machines, next.value)
    if (yielder?.isDue) await yielder.pause()
  }
}

/** For the best replacement of a machine, all commitments are applied to all kinds for each offer that is examined. */
const maxAppliedToKinds = 100_000

/** What commitments cover in this hour, and what a change of machines would save. */
export class CoveredHour {
  readonly active: readonly Commitment[]
  readonly machines: readonly RunningMachines[]
  readonly coverage: HourCoverage
  readonly pricing: PricingDeps
  readonly market: Market
  readonly #kindOf = new Map<string, number>()
  readonly #known = new Map<string, CommittedSaving | undefined>()

  constructor(
    pricing: PricingDeps,
    market: Market,
    active: readonly Commitment[],
    machines: readonly RunningMachines[],
    coverage: HourCoverage,
  ) {
    this.pricing = pricing
    this.market = market
    this.active = active
    this.machines = machines
    this.coverage = coverage
    for (const [index, { machines: all }] of machines.entries())
      for (const { ref } of all) this.#kindOf.set(entityKey(ref), index)
  }

  costPerHour(commitment: Commitment): number | undefined {
    return costPerHour(this.market, commitment)
  }

  /** Undefined for a machine that commitments cannot cover. */
  committedMachine({ ref }: Pick<Entity, 'ref'>): CommittedMachine | undefined {
    const index = this.#kindOf.get(entityKey(ref))
    if (index === undefined) return undefined
    const examined = Math.round(maxAppliedToKinds / (this.active.length * this.machines.length))
    return {
      saving: (target) => this.savingOfKind(index, target),
      examined: Math.min(examinedTypes, Math.max(1, examined)),
    }
  }

  savingOfKind(index: number, target?: Offer): CommittedSaving | undefined {
    const key = JSON.stringify([
      index,
      target && [target.provider, target.region, target.zone, target.instanceType, target.usageType],
    ])
    return this.#known.getOrInsertComputed(key, () =>
      this.#change(new Map([[index, 1]]), target === undefined ? [] : [{ offer: target, count: 1 }]),
    )
  }

  /** What replacing all nodes of a cluster by others saves. Nodes that stay are those of the same type. */
  savingOfCluster(cluster: string, added: readonly Replacement[]): CommittedSaving | undefined {
    const removed = new Map<number, number>()
    for (const [index, { machines }] of this.machines.entries()) {
      const count = machines.filter(({ ref }) => ref.kind === 'node' && ref.cluster === cluster).length
      if (count > 0) removed.set(index, count)
    }
    const more = added.map(({ offer, count }) => {
      let left = count
      for (const [index, have] of removed) {
        if (!isOfOffer(this.machines[index]!.kind, offer)) continue
        const kept = Math.min(have, left)
        removed.set(index, have - kept)
        left -= kept
      }
      return { offer, count: left }
    })
    return this.#change(removed, more)
  }

  /** Covers the hour again: what the commitments then cover of other machines is saved at once. */
  #change(removed: ReadonlyMap<number, number>, added: readonly Replacement[]) {
    const kinds = kindsOf(this.machines)
    let listedUsd = 0
    let uncommittedUsd = 0
    const before = kinds.map((kind, index) => {
      const count = removed.get(index) ?? 0
      listedUsd += count * priceOf(kind)
      return { ...kind, quantity: kind.quantity - count }
    })
    const more = added.flatMap(({ offer, count }): RunningKind[] => {
      listedUsd -= count * offer.pricePerHourUsd
      const kind = kindOfOffer(this.pricing, this.market, offer, offer.zone)
      if (kind === undefined) uncommittedUsd += count * offer.pricePerHourUsd
      return kind === undefined || count === 0 ? [] : [{ ...kind, quantity: count }]
    })
    const after = coverHour(this.active, [...before, ...more], planRates(this.market))
    const covering = new Set([
      ...[...removed].flatMap(([index, count]) =>
        count > 0 ? [...this.coverage.kinds[index]!.coveredUsd.keys()] : [],
      ),
      ...after.kinds.slice(before.length).flatMap(({ coveredUsd }) => [...coveredUsd.keys()]),
    ])
    if (covering.size === 0) return undefined
    const named = [...covering].sort((a, b) => a - b).map((at) => this.active[at]!)
    const stranded = this.active.map((commitment, at) => {
      const share = this.coverage.uses[at]!.utilisation - after.uses[at]!.utilisation
      if (share < 1e-9) return 0
      return share * (1 - commitment.usedElsewhere) * (this.costPerHour(commitment) ?? Number.NaN)
    })
    const strandedUsd = hoursPerMonth * totalOf(stranded)
    const savedUsd = paid(this.coverage) - paid(after) - uncommittedUsd
    return {
      commitments: named.map(({ name }) => name),
      saves_per_month: roundSum(hoursPerMonth * savedUsd),
      until: lastDayOf(named),
      saves_per_month_after: roundSum(hoursPerMonth * listedUsd),
      stranded_per_month: Number.isNaN(strandedUsd) ? null : roundSum(strandedUsd),
    }
  }
}

const isOfOffer = (kind: RunningKind, offer: Offer): boolean =>
  kind.provider === offer.provider &&
  kind.region === offer.region &&
  kind.instanceType === offer.instanceType &&
  kind.operatingSystem === offer.operatingSystem &&
  offer.usageType === 'ONDEMAND'

const paid = ({ kinds }: HourCoverage): number => totalOf(kinds.map(({ onDemandUsd }) => onDemandUsd))

export const kindsOf = (machines: readonly RunningMachines[]): RunningKind[] =>
  machines.map(({ kind }) => kind)

export const priceOf = ({ coresUsd, memoryUsd, uncoverableUsd }: RunningKind): number =>
  coresUsd + memoryUsd + uncoverableUsd

export const totalOf = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
