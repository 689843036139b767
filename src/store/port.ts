import type { KeyRecord, SessionRecord } from '../domain/key.ts'
import type { MarketplaceEntry, RegisteredEntry } from '../domain/marketplace.ts'
import type { UsageType } from '../domain/offer.ts'
import type { UsageStore } from '../usage/port.ts'
import type { DecisionStore } from './port-decisions.ts'
import type { NodePriceStore } from './port-node-prices.ts'
import type { PriceStore } from './port-prices.ts'
import type { RecommendationStore } from './port-recommendations.ts'

/**
 * The persistent state of the service. Every implementation guarantees: a resolved write is durable (kill -9, power
 * loss); a rejected write has changed nothing, except that a connection lost during the commit leaves either everything
 * or nothing; StoreUnavailable is thrown if, and only if, a later retry may succeed.
 */
export interface Store {
  readonly keys: KeyStore
  readonly sessions: SessionStore
  readonly marketplace: MarketplaceStore
  readonly changes: ChangeFeed
  readonly leases: Leases
  readonly prices: PriceStore
  readonly nodePrices: NodePriceStore
  readonly usage: UsageStore
  readonly settings: SettingsStore
  readonly models: ModelStore
  readonly documents: DocumentStore
  readonly recommendations: RecommendationStore
  readonly decisions: DecisionStore
  ping(): Promise<void>
  close(): Promise<void>
}

export const storeSections = [
  ...(['keys', 'sessions', 'marketplace', 'changes', 'leases', 'prices', 'nodePrices', 'usage'] as const),
  ...(['settings', 'models', 'documents', 'recommendations', 'decisions'] as const),
] satisfies (keyof Store)[]

/** Every write except touch() increments the version of the topic 'keys'. */
export interface KeyStore {
  /** Oldest first. */
  all(): Promise<KeyRecord[]>
  insert(key: KeyRecord): Promise<void>
  /** Inserts only if there is no key at all. Returns true on exactly one of many nodes that start at once. */
  insertFirst(key: KeyRecord): Promise<boolean>
  /** The old key expires at the given time, or earlier if it already would. False if it is unknown, revoked or replaced. */
  rotate(oldId: string, replacement: KeyRecord, oldExpiresAt: number): Promise<boolean>
  /** Returns the record after the change, or undefined if it is unknown. Revoking twice keeps the first time. */
  revoke(id: string, at: number): Promise<KeyRecord | undefined>
  /** Stores the times of last use by key id. A stored time never moves back. */
  touch(lastUsedAt: ReadonlyMap<string, number>): Promise<void>
}

/** Every write that changes something increments the version of the topic 'sessions'. */
export interface SessionStore {
  /** Oldest first. */
  all(): Promise<SessionRecord[]>
  /** Also removes sessions that expired before this one began, and the oldest of the same key beyond maxPerKey. */
  insert(session: SessionRecord, maxPerKey: number): Promise<void>
  /** Returns false if there was no such session. */
  remove(tokenHash: string): Promise<boolean>
}

/** Entries belong to an organisation. Every write increments the version of the topic `marketplace/${organisation}`. */
export interface MarketplaceStore {
  /**
   * Registers all entries or none. An entry with an existing natural key replaces size, price and raw data and keeps
   * the id; a new natural key gets a new id. Throws TooManyEntries if the organisation would then have more than
   * maxEntries and more than before, whatever other nodes register at the same time.
   */
  register(organisation: string, entries: readonly MarketplaceEntry[], maxEntries?: number): Promise<void>
  /** By the UTF-8 bytes of the natural key, after the cursor of the previous page; throws BadCursor if it is invalid. */
  page(organisation: string, query: MarketplaceQuery): Promise<MarketplacePage>
  /** Returns those of the natural keys that exist, in any order. */
  find(organisation: string, keys: readonly NaturalKey[]): Promise<RegisteredEntry[]>
  findById(organisation: string, id: string): Promise<RegisteredEntry | undefined>
  /** Undefined if the id is unknown. Throws EntryExists if another entry has the new natural key. */
  change(
    organisation: string,
    id: string,
    changes: Partial<MarketplaceEntry>,
  ): Promise<RegisteredEntry | undefined>
  /** Returns the removed entry, or undefined if the id is unknown. */
  removeById(organisation: string, id: string): Promise<RegisteredEntry | undefined>
  /** Returns one item per (provider, service), sorted. */
  providers(organisation: string): Promise<{ provider: string; service: string; entries: number }[]>
  /** Removes a provider's entries. Returns how many there were. */
  remove(organisation: string, provider: string): Promise<number>
}

export interface MarketplaceQuery {
  readonly limit: number
  readonly after?: string
  /** Number of entries to skip first. */
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
  /** Cursor of the next page; absent on the last one. */
  readonly next?: string
}

/** The topic of a setting of an organisation. */
export const settingTopic = (name: string, organisation: string): string => `settings/${name}/${organisation}`

/** Those that differ from the defaults. A write that changes something increments the version of the setting's topic. */
export interface SettingsStore {
  /** Returns undefined if nothing was set. */
  read(organisation: string, name: string): Promise<string | undefined>
  /** Undefined removes the setting. */
  write(organisation: string, name: string, value: string | undefined): Promise<void>
  /** Only if the stored value is `before`; undefined stands for none. Of two writers with the same `before`, one succeeds. */
  replace(
    organisation: string,
    name: string,
    before: string | undefined,
    value: string | undefined,
  ): Promise<boolean>
}

/** Trained models of organisations, opaque to the store. */
export interface ModelStore {
  /** Returns undefined if no model was trained yet. */
  trainedAt(organisation: string): Promise<number | undefined>
  read(organisation: string): Promise<StoredModel | undefined>
  /** Replaces an older model. If two nodes train at once, the later model stays. */
  write(organisation: string, model: StoredModel): Promise<void>
}

export interface StoredModel {
  /** Milliseconds since 1970. */
  readonly trainedAt: number
  /** Format of the bytes. Another program version may not be able to read them. */
  readonly format: string
  readonly bytes: Uint8Array
}

/** What organisations keep by name, opaque to the store. No topic counts its changes. */
export interface DocumentStore {
  read(organisation: string, name: string): Promise<Uint8Array | undefined>
  write(organisation: string, name: string, bytes: Uint8Array): Promise<void>
  /** Unknown names are ignored. */
  remove(organisation: string, names: readonly string[]): Promise<void>
}

export interface ChangeFeed {
  /** Maps each topic to its version. A version only grows, in the same transaction as the change that it counts. */
  versions(): Promise<Map<string, number>>
  /**
   * Calls back soon after any process changed a topic. A hint can be lost, so callers poll as well. Returns a function
   * that unsubscribes.
   */
  subscribe(onHint: () => void): () => void
}

/**
 * Work that one node does at a time. The database clock decides. A lease that lies further in the future than its own
 * length counts as expired, so that setting the clock back blocks nobody for long.
 */
export interface Leases {
  /** True if the holder has the lease for ttlMs from now: newly, renewed, or after another holder's lease expired. */
  acquire(name: string, holder: string, ttlMs: number): Promise<boolean>
  /** Does the same for many leases at once. Returns the names of those that the holder has. */
  acquireAll(names: readonly string[], holder: string, ttlMs: number): Promise<string[]>
  /** Returns the names that begin with the prefix and have not expired, in order. */
  held(prefix: string): Promise<string[]>
  release(name: string, holder: string): Promise<void>
}

/** The database is unreachable, busy for too long, or its disk is full; nothing was changed. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** The database is not usable. A retry does not help, and the message tells the operator in one line what to change. */
export class StoreUnusable extends Error {
  override readonly name: string = 'StoreUnusable'
}

/** The database was written by a newer Cheapside. */
export class StoreTooNew extends StoreUnusable {
  override readonly name = 'StoreTooNew'
}

/** The organisation would have more entries than it may. The message is a phrase that follows "entries". */
export class TooManyEntries extends Error {
  override readonly name = 'TooManyEntries'
}

/** Another entry has this natural key. */
export class EntryExists extends Error {
  override readonly name = 'EntryExists'
}

/** The `after` of a page is not a cursor that page() returned. */
export class BadCursor extends Error {
  override readonly name = 'BadCursor'
}

/** A value that some database would not return unchanged; see storable.ts. The caller should have refused it. */
export class NotStorable extends Error {
  override readonly name = 'NotStorable'
}
