import { setImmediate as otherWork } from 'node:timers/promises'
import { type MarketplaceEntry, naturalKeyOf } from '../../domain/marketplace.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import type { Provider } from '../../domain/provider.ts'
import type { OwnPriceCache } from '../../market/own-prices.ts'
import { type Store, TooManyEntries } from '../../store/port.ts'
import { providerNotRegistered } from './list-marketplace.ts'
import { nameError, parseEntry } from './marketplace-entry.ts'

export interface MarketplaceDeps {
  readonly store: Pick<Store, 'marketplace'>
  readonly catalogues: OwnPriceCache
  /** The enabled built-in provider that a name refers to. */
  findProvider(name: string): Provider | undefined
}

/** A request body that is not yet checked. */
export interface Registration {
  readonly name?: unknown
  readonly entries?: unknown
}

export interface RegistrationResult {
  readonly Status: 'Registered'
  readonly Entries: number
  readonly Warnings?: readonly string[]
}

export const maxEntriesPerCall = 10_000
const maxEntriesPerOrganisation = 200_000
const mostErrorsListed = 100
const mostWarningsListed = 100

/** This many entries take about a millisecond; then other work gets a turn. */
const slice = 250

export async function registerMarketplace(
  deps: MarketplaceDeps,
  organisation: string,
  given: Registration,
): Promise<RegistrationResult> {
  const { entries, warnings } = await registerEntries(deps, organisation, given)
  return {
    Status: 'Registered',
    Entries: entries.length,
    ...(warnings.length > 0 ? { Warnings: warnings } : {}),
  }
}

/** Registers all entries or none. When it resolves, this node's answers include them. */
export async function registerEntries(
  deps: MarketplaceDeps,
  organisation: string,
  given: Registration,
): Promise<{ entries: readonly MarketplaceEntry[]; warnings: readonly string[] }> {
  const { entries, warnings } = await checkRegistration(deps.findProvider, given)
  await deps.store.marketplace
    .register(organisation, entries, maxEntriesPerOrganisation)
    .catch((error: unknown) => {
      throw error instanceof TooManyEntries ? tooManyProblem(error) : error
    })
  // The entries are stored already, so a failed read only drops the cached prices.
  await deps.catalogues.refresh(organisation).catch(() => deps.catalogues.forget(organisation))
  return { entries, warnings }
}

/** Throws one problem that names every bad entry and field. */
async function checkRegistration(
  findProvider: MarketplaceDeps['findProvider'],
  { name, entries: sent }: Registration,
): Promise<{ entries: MarketplaceEntry[]; warnings: string[] }> {
  const errors: FieldError[] = []
  let found = 0
  const complain = (pointer: string, message: string) => {
    found += 1
    if (errors.length < mostErrorsListed) errors.push({ pointer, message })
  }
  const wrongName =
    name === undefined ? 'is required' : (nameError(name) ?? providerNameError(name as string, findProvider))
  if (wrongName !== undefined) complain('/name', wrongName)
  // Entries are checked even if the name is bad, so that every error is listed. None of them is registered.
  const provider = wrongName === undefined ? (name as string) : ''
  const given: readonly unknown[] = Array.isArray(sent) ? sent : []
  if (sent === undefined) complain('/entries', 'is required')
  else if (!Array.isArray(sent)) complain('/entries', 'must be an array')
  else if (given.length === 0) complain('/entries', 'must have at least one entry')
  const tooMany = given.length > maxEntriesPerCall
  if (tooMany) complain('/entries', `must not have more than ${maxEntriesPerCall} entries`)

  const entries: MarketplaceEntry[] = []
  const warnings: string[] = []
  const seen = new Map<string, number>()
  for (let i = 0; i < given.length && !tooMany; i++) {
    if (i % slice === slice - 1) await otherWork()
    const at = `/entries/${i}`
    const entry = parseEntry(given[i], provider, (member, message) =>
      complain(member === '' ? at : `${at}/${member}`, message),
    )
    if (entry === undefined) continue
    const key = naturalKeyOf(entry)
    const first = seen.get(key)
    if (first !== undefined)
      complain(at, `is for the same machine, place and usage type as /entries/${first}`)
    seen.set(key, first ?? i)
    entries.push(entry)
    const said = (given[i] as { provider?: unknown }).provider
    if (said && said !== name)
      warnings.push(`${at}/provider is ${JSON.stringify(said)}; registered under ${JSON.stringify(name)}.`)
  }
  if (found > 0) {
    const more = found > errors.length ? ` The first ${errors.length} of ${found} are listed.` : ''
    throw new Problem('invalid', `Nothing was registered.${more}`, { errors })
  }
  return { entries, warnings: shortened(warnings) }
}

/**
 * Path segments below /marketplace/providers that have a meaning of their own, so a provider must not be called so.
 * Entries that were registered under such a name earlier are listed, and removed by id, at
 * /marketplace/providers/compute.
 */
export const reservedNames: readonly string[] = ['compute', 'disks', 'databases', 'models']

/** Returns what is wrong with the name of a marketplace provider, or undefined if it is valid. */
export function providerNameError(
  name: string,
  findProvider: MarketplaceDeps['findProvider'],
): string | undefined {
  // Clients remove these segments from a path before they send it, so the entries could be neither listed nor removed.
  if (name === '.' || name === '..') return 'must not be "." or ".."'
  if (reservedNames.includes(name.trim().toLowerCase())) return 'is reserved: it names a kind of prices'
  const builtIn = findProvider(name)
  return builtIn && `must not be a name of the built-in provider ${builtIn.displayName}`
}

function tooManyProblem({ message }: TooManyEntries): Problem {
  return new Problem(
    'invalid',
    `Nothing was registered. An organisation can have at most ${maxEntriesPerOrganisation} entries.`,
    { errors: [{ pointer: '/entries', message }] },
  )
}

function shortened(warnings: string[]): string[] {
  const more = warnings.length - mostWarningsListed
  return more <= 0 ? warnings : [...warnings.slice(0, mostWarningsListed), `${more} more of the same kind.`]
}

interface RemovalResult {
  readonly Status: 'Removed'
  readonly Entries: number
}

/**
 * Removes a provider from the organisation's marketplace. When it resolves, this node's answers no longer include it.
 */
export async function removeMarketplace(
  deps: Pick<MarketplaceDeps, 'store' | 'catalogues'>,
  organisation: string,
  provider: string,
): Promise<RemovalResult> {
  const removed = await deps.store.marketplace.remove(organisation, provider)
  if (removed === 0) throw providerNotRegistered(provider)
  await deps.catalogues.refresh(organisation).catch(() => deps.catalogues.forget(organisation))
  return { Status: 'Removed', Entries: removed }
}
