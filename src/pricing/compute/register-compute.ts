import { setImmediate as otherWork } from 'node:timers/promises'
import { type MarketplaceEntry, naturalKeyOf, type RegisteredEntry } from '../../domain/marketplace.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import { maxEntriesPerCall } from '../own-prices/marketplace-entry.ts'
import { providerNameError } from '../own-prices/provider-name.ts'
import { type MarketplaceDeps, registerEntries } from '../own-prices/register-marketplace.ts'
import type { ComputeEntry, ComputeRegistration } from './entry-schema.ts'
import { viewEntry } from './list-compute.ts'

const slice = 250

/** Registers all entries or none, under the name of ownProviderName(). `entries` is unchecked input. */
export async function registerCompute(
  deps: MarketplaceDeps,
  organisation: string,
  entries: unknown,
  pointerTo = (i: number): string => `/entries/${i}`,
): Promise<ComputeRegistration> {
  const sent =
    Array.isArray(entries) && entries.length <= maxEntriesPerCall ? entries.map(withoutNulls) : entries
  if (Array.isArray(sent)) refuseOtherCurrencies(sent, pointerTo)
  const given = { name: ownProviderName(deps, organisation), entries: sent }
  const registered = await registerEntries(deps, organisation, given, pointerTo)
  const kept = await readBack(deps, organisation, registered.entries)
  return {
    status: 'Registered',
    entries: kept.map(viewEntry),
    ...(registered.warnings.length > 0 ? { warnings: registered.warnings } : {}),
  }
}

/** Returns the organisation's name, or e.g. aws-own if that name is reserved or belongs to a built-in provider. */
export const ownProviderName = (
  { findProvider }: Pick<MarketplaceDeps, 'findProvider'>,
  organisation: string,
): string =>
  providerNameError(organisation, findProvider) === undefined ? organisation : `${organisation}-own`

/** Registers a single entry. Its errors have pointers without the list around it. */
export async function registerOneCompute(
  deps: MarketplaceDeps,
  organisation: string,
  entry: unknown,
): Promise<ComputeEntry> {
  const { entries } = await registerCompute(deps, organisation, [entry], () => '')
  if (entries[0] === undefined)
    throw new Problem(
      'conflict',
      'The entry was removed at the same time. Register it again if it is needed.',
    )
  return entries[0]
}

async function readBack(
  { store }: MarketplaceDeps,
  organisation: string,
  entries: readonly MarketplaceEntry[],
): Promise<RegisteredEntry[]> {
  const found = new Map<string, RegisteredEntry>()
  for (let from = 0; from < entries.length; from += slice) {
    const some = await store.marketplace.find(organisation, entries.slice(from, from + slice).map(keyOf))
    for (const entry of some) found.set(naturalKeyOf(entry), entry)
    await otherWork()
  }
  return entries.flatMap((entry) => found.get(naturalKeyOf(entry)) ?? [])
}

const keyOf = ({ rawJson: _, pricePerHourUsd, vcpus, ramGib, ...key }: MarketplaceEntry) => key

/** Removes members that are null, which mean the same as absent ones. */
function withoutNulls(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return entry
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null))
}

function refuseOtherCurrencies(entries: readonly unknown[], pointerTo: (i: number) => string): void {
  const errors: FieldError[] = []
  for (const [i, entry] of entries.entries()) {
    const { currency = 'USD' } = (entry ?? {}) as { currency?: unknown }
    if (currency !== 'USD' && errors.length < maxErrorsListed)
      errors.push({ pointer: `${pointerTo(i)}/currency`, message: 'must be USD: prices are in US dollars' })
  }
  if (errors.length > 0) throw new Problem('invalid', 'Nothing was registered.', { errors })
}

const maxErrorsListed = 100
