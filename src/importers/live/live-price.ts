import type { ListedPrice, Offer } from '../../domain/offer.ts'
import type { MachineType } from '../machine.ts'

/** One price as a provider's list states it, in US dollars. */
export interface LivePrice extends ListedPrice {
  /** As the list itself says; null if it does not say. */
  readonly machine: MachineType | null
  readonly monthlyCapUsd: number | null
  /** Where its rates are not those of the family that its name suggests. */
  readonly family?: string
  readonly source: string
  /** YYYY-MM-DD */
  readonly day: string
  readonly skuIds?: readonly string[]
}

/** Picks offers of the last good prices that still hold. */
export type StillHolds = (offer: Offer) => boolean
