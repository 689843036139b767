import type { NamespaceRef } from '../domain/subject.ts'
import type { DayRange } from '../usage/port.ts'

/** Decided sizes of containers and processes, one for each subject and day. The bytes are opaque to the store. */
export interface DecisionStore {
  /** The decisions of these subjects on days [from, to), ordered by day. Subjects without a decision are left out. */
  read(
    organisation: string,
    place: DecisionPlace,
    names: readonly string[],
    days: DayRange,
  ): Promise<StoredDecision[]>
  /** Writes all decisions in one transaction. Each replaces that of the same subject and day. */
  write(organisation: string, place: DecisionPlace, decisions: readonly StoredDecision[]): Promise<void>
  /** Removes decisions of days before this one; returns the number of rows, maxRows at most. */
  prune(organisation: string, beforeDay: number, maxRows: number): Promise<number>
}

/** A namespace, or a machine. */
export type DecisionPlace =
  | ({ readonly kind: 'container' } & NamespaceRef)
  | { readonly kind: 'process'; readonly vm: string }

export interface StoredDecision {
  /** Identifies the subject in its place. */
  readonly name: string
  /** Days since 1970. */
  readonly day: number
  readonly bytes: Uint8Array
}
