import { randomBytes } from 'node:crypto'
import type { KeyRecord, SessionRecord } from '../domain/key.ts'
import type { MarketplaceEntry } from '../domain/marketplace.ts'
import { type Leases, NotStorable, type StoredModel, TooManyEntries } from './port.ts'
import type { StoredNodePrice } from './port-node-prices.ts'
import type { PriceChanges, PublishedCatalogue } from './port-prices.ts'
import type { StoredRecommendation } from './port-recommendations.ts'

/** UTF-8 bytes of a name: five names and an organisation fit into PostgreSQL's index row of 2,704 bytes. */
const maxNameBytes = 400
const maxOrganisationBytes = 100

export function checkKey(key: KeyRecord): void {
  checkOrganisation(key.organisation)
  for (const text of [key.id, key.name, key.secretHash, key.replacedBy ?? '', ...key.scopes]) checkText(text)
  for (const time of [key.createdAt, key.expiresAt, key.revokedAt, key.lastUsedAt]) {
    if (time !== null) checkTime(time)
  }
}

export function checkSession(session: SessionRecord): void {
  for (const text of [session.tokenHash, session.keyId]) checkText(text)
  for (const time of [session.createdAt, session.expiresAt]) checkTime(time)
}

export function checkEntry(entry: MarketplaceEntry): void {
  for (const name of [entry.provider, entry.service, entry.region, entry.zone, entry.instanceType]) {
    checkName(name, maxNameBytes)
  }
  checkText(entry.rawJson)
  for (const number of [entry.pricePerHourUsd, entry.vcpus, entry.ramGib]) {
    if (!Number.isFinite(number)) throw new NotStorable(`${number} is not a finite number`)
  }
}

/** Runs inside the transaction that registers. Who already has too many entries may still replace them. */
export function checkEntryCount(before: number, after: number, most: number): void {
  if (after > most && after > before) throw new TooManyEntries(`would add ${after - before} to ${before}`)
}

export function checkOrganisation(organisation: string): void {
  checkName(organisation, maxOrganisationBytes)
}

export function checkSetting(name: string, value: string | undefined): void {
  checkName(name, maxNameBytes)
  if (value !== undefined) checkText(value)
}

export function checkModel({ trainedAt, format }: StoredModel): void {
  checkTime(trainedAt)
  checkText(format)
}

export function checkRecommendation({ id, version, advisedAt, json }: StoredRecommendation): void {
  checkText(id)
  checkText(json)
  checkTime(version)
  checkTime(advisedAt)
}

export function checkNodePrice({ cluster, name, day, json }: StoredNodePrice): void {
  for (const text of [cluster, name, json]) checkText(text)
  checkTime(day)
}

export function checkPublication(catalogue: PublishedCatalogue, changes: readonly PriceChanges[]): void {
  checkText(catalogue.id)
  checkTime(catalogue.publishedAt)
  for (const change of changes) {
    checkText(change.provider)
    checkText(change.instanceType)
    checkTime(change.at)
  }
}

/** Copies bytes into a plain Uint8Array, because each driver has its own type for them. */
export const plainBytes = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes)

export function checkTime(time: number): void {
  if (!Number.isSafeInteger(time)) throw new NotStorable(`${time} is not a time in whole milliseconds`)
}

/** PostgreSQL cannot store NUL, and half a surrogate pair has no UTF-8 encoding. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** By UTF-8 bytes. The last character of the prefix must be ASCII. */
export const afterPrefix = (prefix: string): string =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)

export function checkText(text: string): void {
  if (!isStorable(text)) {
    throw new NotStorable(`${JSON.stringify(text.slice(0, 80))} holds NUL or half a surrogate pair`)
  }
}

function checkName(name: string, maxBytes: number): void {
  checkText(name)
  if (name.length * 3 > maxBytes && Buffer.byteLength(name) > maxBytes) {
    throw new NotStorable(`"${name.slice(0, 80)}..." is longer than ${maxBytes} bytes`)
  }
}

/** More bytes than a page that happens to be free, and random, so that no database can compress them. */
const proofBytes = 48 * 1024
const leaseMs = 1_000

/**
 * Writes something that needs new space, durably, and removes it. Rejects with StoreUnavailable if the database accepts
 * no writes: the disk is full, a quota is exhausted, it is read-only or unavailable. If another node runs the same
 * check at the moment, this node skips it.
 */
export async function proveWritable(leases: Leases): Promise<void> {
  const holder = randomBytes(proofBytes).toString('base64')
  if (await leases.acquire('writable', holder, leaseMs)) await leases.release('writable', holder)
}
