import { type FieldError, Problem } from '../../domain/problem.ts'
import type { View } from '../../domain/schema.ts'
import { type CostSharing, nothingShared } from '../allocation/share-costs.ts'
import type { SharingBody, SharingView } from './schema.ts'

export type SharingDeps = { readonly store: { readonly settings: Settings } }

/** Texts of an organisation by name; see SettingsStore. */
interface Settings {
  read(organisation: string, name: string): Promise<string | undefined>
  write(organisation: string, name: string, text: string | undefined): Promise<unknown>
}

export type SharingInput = View<typeof SharingBody>
export type OrganisationSharing = View<typeof SharingView>

const settingName = 'cost-sharing'

export async function sharingOf({ store }: SharingDeps, organisation: string): Promise<CostSharing> {
  return parse(await stored(store.settings, organisation))
}

export async function readSharing(
  { store }: SharingDeps,
  organisation: string,
): Promise<OrganisationSharing> {
  return view(organisation, await stored(store.settings, organisation))
}

/** An empty object restores the default, in which everything stays apart. */
export async function setSharing(
  { store }: SharingDeps,
  organisation: string,
  input: SharingInput,
): Promise<OrganisationSharing> {
  checkSharing(input)
  const isEmpty = Object.keys(input).length === 0
  await store.settings.write(organisation, settingName, isEmpty ? undefined : JSON.stringify(input))
  return view(organisation, isEmpty ? undefined : input)
}

function checkSharing({ idle, shared, shared_namespaces = [], shares = {} }: SharingInput): void {
  const errors: FieldError[] = []
  const add = (pointer: string, message: string) => errors.push({ pointer, message })
  const isFixed = idle === 'fixed' || shared === 'fixed'
  const sum = Object.values(shares).reduce((all, share) => all + share, 0)
  if (isFixed && sum === 0) add('/shares', 'must name at least one namespace with its percentage')
  if (sum > 100.000001) add('/shares', `must add up to at most 100 percent, not ${Number(sum.toFixed(6))}`)
  if (shared !== undefined && shared !== 'apart' && shared_namespaces.length === 0)
    add('/shared_namespaces', 'must name the namespaces whose cost is shared')
  if (errors.length > 0) throw new Problem('invalid', 'The sharing of costs cannot be set.', { errors })
}

async function stored(settings: Settings, organisation: string): Promise<SharingInput | undefined> {
  const text = await settings.read(organisation, settingName)
  return text === undefined ? undefined : JSON.parse(text)
}

const parse = (input: SharingInput = {}): CostSharing => ({
  idle: input.idle ?? nothingShared.idle,
  shared: input.shared ?? nothingShared.shared,
  sharedNamespaces: input.shared_namespaces ?? [],
  shares: input.shares ?? {},
  loadBalancerMonthUsd: input.load_balancer_usd_per_month ?? null,
  networkGibUsd: input.network_usd_per_gib ?? null,
  internetPercent: input.network_internet_percent ?? null,
  off: input.off ?? [],
})

function view(organisation: string, input: SharingInput | undefined): OrganisationSharing {
  const { idle, shared, sharedNamespaces, shares, off, ...prices } = parse(input)
  return {
    ...{ organisation, idle, shared, shared_namespaces: sharedNamespaces, shares, off },
    load_balancer_usd_per_month: prices.loadBalancerMonthUsd,
    network_usd_per_gib: prices.networkGibUsd,
    network_internet_percent: prices.internetPercent,
    set: input !== undefined,
  }
}
