import type { MarketplaceEntry } from '../../domain/marketplace.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import { EntryExists } from '../../store/port.ts'
import { parseEntry, toContract } from '../own-prices/marketplace-entry.ts'
import type { MarketplaceDeps } from '../own-prices/register-marketplace.ts'
import type { CustomPricingEntry } from '../own-prices/schema.ts'
import type { ComputeEntry } from './entry-schema.ts'
import { viewEntry } from './list-compute.ts'

type Deps = Pick<MarketplaceDeps, 'store' | 'ownPrices'>

export async function showCompute({ store }: Deps, organisation: string, id: string): Promise<ComputeEntry> {
  const entry = await store.marketplace.findById(organisation, id)
  if (entry === undefined) throw noSuchEntry(id)
  return viewEntry(entry)
}

export async function changeCompute(
  deps: Deps,
  organisation: string,
  id: string,
  given: Partial<CustomPricingEntry>,
): Promise<ComputeEntry> {
  const { marketplace } = deps.store
  const known = await marketplace.findById(organisation, id)
  if (known === undefined) throw noSuchEntry(id)
  const errors: FieldError[] = []
  const complain = (member: string, message: string) => errors.push({ pointer: `/${member}`, message })
  const members = Object.keys(given)
  if (members.length > 0 && !members.some((member) => member === 'provider' || Object.hasOwn(fields, member)))
    for (const member of members.slice(0, maxListed)) complain(member, 'is not a member of an entry')
  if (given.provider !== undefined && given.provider !== known.provider)
    complain('provider', 'cannot be changed')
  const entry = parseEntry({ ...toContract(known), ...given }, known.provider, complain)
  if (entry === undefined || errors.length > 0)
    throw new Problem('invalid', 'Nothing was changed.', { errors })
  const changed = await marketplace
    .change(organisation, id, membersGiven(entry, given))
    .catch((error: unknown) => {
      throw error instanceof EntryExists ? otherEntry(error) : error
    })
  if (changed === undefined) throw noSuchEntry(id)
  await show(deps, organisation)
  return viewEntry(changed)
}

export async function removeCompute(deps: Deps, organisation: string, id: string): Promise<ComputeEntry> {
  const removed = await deps.store.marketplace.removeById(organisation, id)
  if (removed === undefined) throw noSuchEntry(id)
  await show(deps, organisation)
  return viewEntry(removed)
}

/** Shows the change on this node. The change is stored already, so a failed read only drops the cached prices. */
const show = ({ ownPrices }: Deps, organisation: string): Promise<void> =>
  ownPrices.refresh(organisation).catch(() => ownPrices.forget(organisation))

const fields: Readonly<Record<string, keyof MarketplaceEntry>> = {
  cost_per_hour: 'pricePerHourUsd',
  cpu_cores: 'vcpus',
  ram_gb: 'ramGib',
  usage_type: 'usageType',
  instance_type: 'instanceType',
  region: 'region',
  raw_pricing_data: 'rawJson',
  service: 'service',
  operating_system: 'operatingSystem',
  availability_zone: 'zone',
}

const maxListed = 100

/**
 * Returns only the members that the caller gave, so that two concurrent changes of different members both take effect.
 */
function membersGiven(entry: MarketplaceEntry, given: object): Partial<MarketplaceEntry> {
  const names = Object.entries(fields).filter(([member]) => Object.hasOwn(given, member))
  return Object.fromEntries(names.map(([, field]) => [field, entry[field]]))
}

const noSuchEntry = (id: string): Problem =>
  new Problem('not-found', `No marketplace entry has the id ${JSON.stringify(id)}.`)

const otherEntry = ({ message }: EntryExists): Problem =>
  new Problem(
    'conflict',
    `The entry ${message} already has this machine, place and usage type. Nothing was changed.`,
  )
