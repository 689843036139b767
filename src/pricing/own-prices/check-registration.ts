import { setImmediate as otherWork } from 'node:timers/promises'
import { type MarketplaceEntry, naturalKeyOf } from '../../domain/marketplace.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import type { PricingDeps } from '../market.ts'
import { maxEntriesPerCall, nameError, parseEntry } from './marketplace-entry.ts'
import { providerNameError } from './provider-name.ts'

export interface Registration {
  readonly name?: unknown
  readonly entries?: unknown
}

const maxErrorsListed = 100
const maxWarningsListed = 100

/** This many entries take about a millisecond; then other work gets a turn. */
const slice = 250

export async function checkRegistration(
  findProvider: PricingDeps['findProvider'],
  { name, entries: sent }: Registration,
  pointerTo = (i: number): string => `/entries/${i}`,
): Promise<{ entries: MarketplaceEntry[]; warnings: string[] }> {
  const errors: FieldError[] = []
  let found = 0
  const complain = (pointer: string, message: string) => {
    found += 1
    if (errors.length < maxErrorsListed) errors.push({ pointer, message })
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
    const at = pointerTo(i)
    const entry = parseEntry(given[i], provider, (member, message) =>
      complain(member === '' ? at : `${at}/${member}`, message),
    )
    if (entry === undefined) continue
    const key = naturalKeyOf(entry)
    const first = seen.get(key)
    if (first !== undefined)
      complain(at, `is for the same machine, place and usage type as ${pointerTo(first)}`)
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

function shortened(warnings: string[]): string[] {
  const more = warnings.length - maxWarningsListed
  return more <= 0 ? warnings : [...warnings.slice(0, maxWarningsListed), `${more} more of the same kind.`]
}
