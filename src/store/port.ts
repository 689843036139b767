import type { KeyRecord, SessionRecord } from '../domain/key.ts'
import type { MarketplaceEntry, RegisteredEntry } from '../domain/marketplace.ts'
import type { UsageType } from '../domain/offer.ts'
import type { UsageStore } from '../usage/port.ts'
import type { PriceStore } from './port-prices.ts'
import type { RecommendationStore } from './port-recommendations.ts'

/**
 * What survives a restart. Promises of every implementation:
 * a resolved write is durable (kill -9, power loss); a rejected one left nothing behind
 * (save that a connection lost in the very moment of commit leaves either all or nothing);
 * StoreUnavailable is thrown, and only then, when a later retry may succeed.
 */
export interface Store {
  readonly keys: KeyStore
  readonly sessions: SessionStore
  readonly marketplace: MarketplaceStore
  readonly changes: ChangeFeed
  readonly leases: Leases
  readonly prices: PriceStore
  readonly usage: UsageStore
  readonly settings: SettingsStore
  readonly models: ModelStore
  readonly answers: AnswerStore
  readonly recommendations: RecommendationStore
  /** Resolves when the database answers. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Every write but touch() moves the topic 'keys'. */
export interface KeyStore {
  /** Oldest first. */
  all(): Promise<KeyRecord[]>
  insert(key: KeyRecord): Promise<void>
  /** Inserts only if there is no key at all; true for exactly one of many nodes that start at once. */
  insertFirst(key: KeyRecord): Promise<boolean>
  /** Inserts the replacement and lets the old one expire at the given time, or earlier if it already would. False if the old one is unknown, revoked, or replaced already. */
  rotate(oldId: string, replacement: KeyRecord, oldExpiresAt: number): Promise<boolean>
  /** The record as it is afterwards; undefined if unknown. Revoking twice keeps the first time. */
  revoke(id: string, at: number): Promise<KeyRecord | undefined>
  /** Last uses by key id; a time never moves back. */
  touch(lastUsedAt: ReadonlyMap<string, number>): Promise<void>
}

/** Every write that changes something moves the topic 'sessions'. */
export interface SessionStore {
  /** Oldest first. */
  all(): Promise<SessionRecord[]>
  /** Also removes sessions that expired before this one began, and the oldest of the same key beyond mostPerKey. */
  insert(session: SessionRecord, mostPerKey: number): Promise<void>
  /** False if there was none. */
  remove(tokenHash: string): Promise<boolean>
}

/** Entries belong to an organisation. Every write moves the topic `marketplace/${organisation}`. */
export interface MarketplaceStore {
  /**
   * All or nothing; the same natural key replaces size, price and raw data. TooManyEntries where the organisation would
   * hold more than mostEntries afterwards, and more than before, whatever other nodes register at the same time.
   * A new natural key gets a new id, one that is there keeps its own.
   */
  register(organisation: string, entries: readonly MarketplaceEntry[], mostEntries?: number): Promise<void>
  /** In natural-key order, by UTF-8 bytes; `after` is the cursor of the page before (BadCursor if it is none). */
  page(organisation: string, query: MarketplaceQuery): Promise<MarketplacePage>
  /** The entries of these natural keys that exist, in any order. */
  find(organisation: string, keys: readonly NaturalKey[]): Promise<RegisteredEntry[]>
  findById(organisation: string, id: string): Promise<RegisteredEntry | undefined>
  /** The entry afterwards; undefined if there is none of that id. EntryExists where another one has the new natural key. */
  change(
    organisation: string,
    id: string,
    changes: Partial<MarketplaceEntry>,
  ): Promise<RegisteredEntry | undefined>
  /** The entry that was removed; undefined if there was none of that id. */
  removeById(organisation: string, id: string): Promise<RegisteredEntry | undefined>
  /** One item per (provider, service), sorted. */
  providers(organisation: string): Promise<{ provider: string; service: string; entries: number }[]>
  /** Removes a provider's entries; how many there were. */
  remove(organisation: string, provider: string): Promise<number>
}

export interface MarketplaceQuery {
  readonly limit: number
  readonly after?: string
  /** Entries to pass over first. */
  readonly offset?: number
  readonly provider?: string
  readonly service?: string
  readonly region?: string
  readonly instanceType?: string
  readonly usageType?: UsageType
}

export type NaturalKey = Omit<MarketplaceEntry, 'rawJson' | 'pricePerHourUsd' | 'vcpus' | 'ramGib'>

export interface MarketplacePage {
  readonly entries: readonly RegisteredEntry[]
  /** Present while there is more. */
  readonly next?: string
}

/** Settings in which an organisation differs from the defaults, by name. */
export interface SettingsStore {
  /** Undefined where nothing was set. */
  read(organisation: string, name: string): Promise<string | undefined>
  /** Undefined: as if it had never been set. */
  write(organisation: string, name: string, value: string | undefined): Promise<void>
}

/** Trained models of organisations, opaque to the store. */
export interface ModelStore {
  /** Undefined where nothing was learnt yet. */
  learntAt(organisation: string): Promise<number | undefined>
  read(organisation: string): Promise<LearntModel | undefined>
  /** Takes the place of an older one; of two nodes that learnt at once, the later stays. */
  write(organisation: string, model: LearntModel): Promise<void>
}

export interface LearntModel {
  /** Milliseconds since 1970. */
  readonly learntAt: number
  /** What the bytes are; another program may not be able to read them. */
  readonly format: string
  readonly bytes: Uint8Array
}

/** Answers that took long to compute, for other nodes and for the next start. Losing one costs time only. */
export interface AnswerStore {
  /** Undefined unless one of this name rests on the same and is still good at this time. */
  read(organisation: string, name: string, basis: string, at: number): Promise<StoredAnswer | undefined>
  /** When the one that would be read was computed. */
  computedAt(organisation: string, name: string, basis: string, at: number): Promise<number | undefined>
  /**
   * Replaces one of the same name, unless that was computed later and this one is still good then. Beyond mostAnswers of the
   * organisation, those that were computed first are removed.
   */
  write(organisation: string, name: string, answer: NewAnswer, mostAnswers: number): Promise<void>
  /** Removes those that are no longer good at this time. */
  prune(at: number): Promise<void>
}

export interface StoredAnswer {
  /** Milliseconds since 1970. */
  readonly computedAt: number
  readonly goodUntil: number
  readonly bytes: Uint8Array
}

export interface NewAnswer extends StoredAnswer {
  /** Names all that it rests on besides usage. */
  readonly basis: string
}

/** Notifies every node of changes. */
export interface ChangeFeed {
  /** Topic to version; a version only grows, in the same transaction as the change that it counts. */
  versions(): Promise<Map<string, number>>
  /** Calls back soon after any process changed a topic. A hint can be lost, so callers poll as well. Returns a function that unsubscribes. */
  subscribe(onHint: () => void): () => void
}

/** Work that one node at a time does. The database clock decides. A lease further ahead than its own length counts as expired, so that setting the clock back blocks no one for long. */
export interface Leases {
  /** True if the holder has the lease for ttlMs from now: newly, again, or after another's ran out. */
  acquire(name: string, holder: string, ttlMs: number): Promise<boolean>
  /** The same for many at once; the names of those that the holder has. */
  acquireAll(names: readonly string[], holder: string, ttlMs: number): Promise<string[]>
  /** Names that begin with the text and have not run out, in order. */
  held(prefix: string): Promise<string[]>
  release(name: string, holder: string): Promise<void>
}

/** The database is unreachable, busy for too long, or its disk is full; nothing was changed. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** The database is not usable: a retry does not help, and the message says in one line what the operator must change. */
export class StoreUnusable extends Error {
  override readonly name: string = 'StoreUnusable'
}

/** The database was written by a newer Cheapside. */
export class StoreTooNew extends StoreUnusable {
  override readonly name = 'StoreTooNew'
}

/** The organisation would hold more entries than it may; the message is a phrase that follows "entries". */
export class TooManyEntries extends Error {
  override readonly name = 'TooManyEntries'
}

/** Another entry has this natural key. */
export class EntryExists extends Error {
  override readonly name = 'EntryExists'
}

/** The `after` of a page is no cursor that page() gave. */
export class BadCursor extends Error {
  override readonly name = 'BadCursor'
}

/** A value that no database here would give back as it was; see storable.ts. The caller should have refused it. */
export class NotStorable extends Error {
  override readonly name = 'NotStorable'
}
