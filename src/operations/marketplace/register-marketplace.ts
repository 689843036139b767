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

/** As it was sent: nothing of it is checked yet. */
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

/** This many entries take about a millisecond; then other work runs. */
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

/** All or nothing. What is registered shows in this node's answers when it resolves. */
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
  // It is registered, whatever becomes of the reading.
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
  // Entries are checked under a bad name too, so that every fault is listed; none of them is registered.
  const provider = wrongName === undefined ? (name as string) : ''
  const given: readonly unknown[] = Array.isArray(sent) ? sent : []
  if (sent === undefined) complain('/entries', 'is required')
  else if (!Array.isArray(sent)) complain('/entries', 'must be an array')
  else if (given.length === 0) complain('/entries', 'must hold at least one entry')
  const tooMany = given.length > maxEntriesPerCall
  if (tooMany) complain('/entries', `must not hold more than ${maxEntriesPerCall} entries`)

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
 * What addresses below /marketplace/providers mean: a provider of that name could not be distinguished from them. Entries that
 * were registered under one before are listed, and removed by their id, at /marketplace/providers/compute.
 */
export const reservedNames: readonly string[] = ['compute', 'disks', 'databases', 'models']

/** What is wrong with naming a marketplace provider so; undefined if nothing. */
export function providerNameError(
  name: string,
  findProvider: MarketplaceDeps['findProvider'],
): string | undefined {
  // Clients take these out of a path before they send it, so its entries could be neither listed nor removed.
  if (name === '.' || name === '..') return 'must not be "." or ".."'
  if (reservedNames.includes(name.trim().toLowerCase())) return 'is reserved: it names a kind of prices'
  const builtIn = findProvider(name)
  return builtIn && `must not be a name of the built-in provider ${builtIn.displayName}`
}

function tooManyProblem({ message }: TooManyEntries): Problem {
  return new Problem(
    'invalid',
    `Nothing was registered. An organisation holds at most ${maxEntriesPerOrganisation} entries.`,
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

/** Takes a provider out of the organisation's marketplace; it is gone from this node's answers when it resolves. */
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
