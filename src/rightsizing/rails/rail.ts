import type { RequestAndLimit } from '../adjustments/request-and-limit.ts'
import type { Resource } from '../input.ts'
import type { SizingPreference } from '../workload.ts'

/** Why a size may exceed the highest usage by more than the usual headroom. */
export type RaiseCause = 'kills' | 'throttling' | 'trend' | 'use near the limit'

/** What guard rails know about one resource of a container. */
export interface RailFacts {
  readonly resource: Resource
  readonly current: RequestAndLimit
  /** The largest in force in the last seven days. */
  readonly largest: RequestAndLimit
  readonly preference: SizingPreference
  /** Highest observed usage, page cache and starts included. */
  readonly peak: number
  /** What a Java heap may take; 0 if nothing is known to need more than was observed. */
  readonly reach: number
  /** Whether the limit in force is the answer to a kill, and stays as long as the kill is remembered. */
  readonly keepsLimit: boolean
  readonly reachHours: number
  /** Whether a rule lets the limit stay when the request that equals it is lowered. */
  readonly separatesLimit: boolean
  /** Undefined if nothing justifies more than the usual headroom. */
  readonly cause: RaiseCause | undefined
}

/** A size that a guard rail changed, and why. */
export interface Railed {
  readonly size: number
  readonly code: string
  readonly figures: Readonly<Record<string, number>>
  /** Whether it passes with more history, so that the lower bound of the size stays. */
  readonly isTemporary?: boolean
}

/** Returns undefined if the size may stay. */
export type Rail = (size: number, facts: RailFacts) => Railed | undefined

/** The size that covers everything observed. */
export const coveringSize = ({ peak, reach }: RailFacts): number => Math.max(peak * peakHeadroom, reach)

/** Headroom above the highest usage. */
export const peakHeadroom = 1.15

/** The request in force. Kubernetes uses the limit as the request if only a limit is set. */
export const requestInForce = ({ request, limit }: RequestAndLimit): number | undefined => request ?? limit
