import type { DiskOffer } from '../../domain/disk.ts'
import { parseUsageType } from '../../domain/names.ts'
import { usageTypes } from '../../domain/offer.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import { findTextFault } from '../../domain/text.ts'
import type { Clock } from '../../domain/time.ts'
import type { Store } from '../../store/port.ts'
import { ownProviderName } from '../compute/register-compute.ts'
import type { PricingDeps } from '../market.ts'
import { knownNames } from '../not-found.ts'
import { maxRawJsonLength, nameError } from '../own-prices/marketplace-entry.ts'
import { marketplaceSource } from '../own-prices/own-prices.ts'
import { rowLimit } from './disk-price-row.ts'
import { type DiskEntry, type DiskRow, maxDiskEntries } from './schema.ts'

export interface OwnDiskDeps {
  readonly store: Pick<Store, 'settings'>
  readonly findProvider: PricingDeps['findProvider']
  readonly now: Clock
}

const settingName = 'disk_prices'
const maxTextLength = 500_000

/** The organisation's own prices of disks, in the order in which they were first registered. */
export async function ownDisks(
  { store }: Pick<OwnDiskDeps, 'store'>,
  organisation: string,
): Promise<readonly DiskRow[]> {
  const text = await store.settings.read(organisation, settingName)
  return text === undefined ? [] : (JSON.parse(text) as DiskRow[])
}

/** Registers all entries or none. An entry with the same service, region, zone, type and usage type keeps its id. */
export async function registerDisks(
  deps: OwnDiskDeps,
  organisation: string,
  entries: readonly DiskEntry[],
): Promise<readonly DiskRow[]> {
  const provider = ownProviderName(deps, organisation)
  const rows = checkedRows(entries, provider, new Date(deps.now()).toISOString())
  let registered: readonly DiskRow[] = []
  await changeRows(deps, organisation, (before) => {
    const known = new Map(before.map((row) => [keyOf(row), row]))
    registered = rows.map((row) => {
      const { id = row.id, created_at = row.created_at } = known.get(keyOf(row)) ?? {}
      return { ...row, id, created_at }
    })
    for (const row of registered) known.set(keyOf(row), row)
    if (known.size > maxDiskEntries && known.size > before.length)
      throw new Problem(
        'invalid',
        `Nothing was registered. An organisation can have at most ${maxDiskEntries} entries.`,
        {
          errors: [{ pointer: '/entries', message: `would be ${known.size} with those before` }],
        },
      )
    return [...known.values()]
  })
  return registered
}

export async function removeDisk(deps: OwnDiskDeps, organisation: string, id: string): Promise<DiskRow> {
  let removed: DiskRow | undefined
  await changeRows(deps, organisation, (before) => {
    removed = before.find((row) => row.id === id.toLowerCase())
    if (removed === undefined)
      throw new Problem('not-found', `No disk of the marketplace has the id ${JSON.stringify(id)}.`)
    return before.filter((row) => row !== removed)
  })
  return removed!
}

async function changeRows(
  { store }: Pick<OwnDiskDeps, 'store'>,
  organisation: string,
  change: (rows: readonly DiskRow[]) => readonly DiskRow[],
): Promise<void> {
  for (;;) {
    const before = await store.settings.read(organisation, settingName)
    const rows = change(before === undefined ? [] : (JSON.parse(before) as DiskRow[]))
    const after = rows.length === 0 ? undefined : JSON.stringify(rows)
    if (after !== undefined && after.length > maxTextLength && after.length > (before?.length ?? 0))
      throw new Problem(
        'invalid',
        `Nothing was registered. All entries together must be below ${maxTextLength} characters.`,
      )
    if (await store.settings.replace(organisation, settingName, before, after)) return
  }
}

const keyOf = (row: DiskRow): string =>
  [row.service, row.region, row.availability_zone, row.type, row.usage_type].join('\n')

function checkedRows(entries: readonly DiskEntry[], provider: string, time: string): DiskRow[] {
  const errors: FieldError[] = []
  const seen = new Map<string, number>()
  const rows = entries.map((entry, i) => {
    const complain = (member: string, message: string) =>
      errors.push({ pointer: `/entries/${i}${member}`, message })
    const row = rowOf(entry, provider, time, complain)
    const first = seen.getOrInsert(keyOf(row), i)
    if (first !== i) complain('', `is for the same disk, place and usage type as /entries/${first}`)
    return row
  })
  if (errors.length > 0)
    throw new Problem('invalid', 'Nothing was registered.', { errors: errors.slice(0, 100) })
  return rows
}

function rowOf(
  entry: DiskEntry,
  provider: string,
  time: string,
  complain: (member: string, message: string) => void,
): DiskRow {
  for (const member of ['type', 'region', 'service', 'availability_zone'] as const) {
    const wrong = entry[member] ? nameError(entry[member]) : undefined
    if (wrong !== undefined) complain(`/${member}`, wrong)
  }
  if (entry.type.toLowerCase() === 'base')
    complain('/type', 'must not be "base", which names the disk asked about')
  const usageType = parseUsageType(entry.usage_type || 'ONDEMAND')
  if (usageType === undefined) complain('/usage_type', knownNames(usageTypes))
  for (const what of ['capacity_gb', 'iops', 'throughput_mbps'] as const) {
    const [least, most] = [entry[`min_${what}`] ?? 0, entry[`max_${what}`]]
    if (most != null && most < least) complain(`/max_${what}`, `must not be below min_${what}`)
  }
  const { raw_pricing_data: raw, tags } = entry
  for (const [member, value] of Object.entries({ raw_pricing_data: raw ?? {}, tags: tags ?? {} })) {
    const fault = findTextFault(value)
    if (fault !== undefined) complain(`/${member}${fault.pointer}`, fault.message)
    else if (JSON.stringify(value).length > maxRawJsonLength)
      complain(`/${member}`, `must not be longer than ${maxRawJsonLength} characters`)
  }
  return {
    id: crypto.randomUUID(),
    provider,
    service: entry.service || provider,
    region: entry.region,
    availability_zone: entry.availability_zone ?? '',
    type: entry.type,
    usage_type: usageType ?? 'ONDEMAND',
    cost_per_gb_hour: entry.cost_per_gb_hour,
    cost_per_iops_hour: entry.cost_per_iops_hour ?? 0,
    cost_per_throughput_mbps_hour: entry.cost_per_throughput_mbps_hour ?? 0,
    min_capacity_gb: entry.min_capacity_gb ?? 0,
    max_capacity_gb: entry.max_capacity_gb ?? null,
    min_iops: entry.min_iops ?? 0,
    max_iops: entry.max_iops ?? null,
    min_throughput_mbps: entry.min_throughput_mbps ?? 0,
    max_throughput_mbps: entry.max_throughput_mbps ?? null,
    period_billing_hours: entry.period_billing_hours ?? 1,
    raw_pricing_data: raw ?? {},
    tags: tags ?? {},
    created_at: time,
    updated_at: time,
  }
}

export function offerOfRow(row: DiskRow): DiskOffer {
  return {
    provider: row.provider,
    service: row.service,
    region: row.region,
    zone: row.availability_zone,
    type: row.type,
    tier: '',
    usageType: row.usage_type,
    traits: [],
    gibPerHourUsd: row.cost_per_gb_hour,
    iopsPerHourUsd: row.cost_per_iops_hour,
    mbpsPerHourUsd: row.cost_per_throughput_mbps_hour,
    minGib: row.min_capacity_gb,
    maxGib: row.max_capacity_gb ?? Number.POSITIVE_INFINITY,
    iops: rowLimit(row.min_iops, row.max_iops),
    throughput: rowLimit(row.min_throughput_mbps, row.max_throughput_mbps),
    mbpsPerIops: 0,
    source: marketplaceSource,
    day: '',
    isEstimate: false,
  }
}
