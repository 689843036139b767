import { flexibleSizeOf } from '../../catalogue/shipped-facts.ts'
import { billedUnit } from '../../domain/bill-line.ts'
import { round } from '../../domain/money.ts'
import type { Provider } from '../../domain/provider.ts'
import { dayMs, dayOf, hourMs } from '../../domain/time.ts'
import type { CommitmentInput } from '../commitments/schema.ts'
import type { BilledCommitmentTotal } from './bill-totals.ts'

const assumedTermDays = 365

/**
 * Returns the commitment that a bill shows: what it cost and covered in the hours of the bill. Bills in FOCUS do not say when
 * it ends; a year is assumed then. Undefined if too little is known.
 */
export function proposeCommitment(
  total: BilledCommitmentTotal,
  provider: Provider,
  { firstHour, lastHour }: { readonly firstHour: string; readonly lastHour: string },
  onDemandUsd: (instanceType: string, region: string) => number | undefined,
): CommitmentInput | undefined {
  const hours = (Date.parse(`${lastHour}:00Z`) - Date.parse(`${firstHour}:00Z`)) / hourMs + 1
  if (!(hours >= 1 && total.cost > 0)) return undefined
  const from = firstHour.slice(0, 10)
  const until = total.until || dayOf(Date.parse(from) + assumedTermDays * dayMs)
  const head = {
    name: total.id.slice(-200),
    provider: provider.key,
    note:
      total.until === '' ? 'From a bill, which does not say when it ends: check the last day' : 'From a bill',
    from,
    until,
  }
  const types = [...total.hoursByType].sort((a, b) => b[1] - a[1])
  const [[instanceType, most] = ['', 0]] = types
  if (total.isPlan) {
    const prices = types.map(([type, used]) => used * (onDemandUsd(type, total.region) ?? Number.NaN))
    const listed = prices.reduce((sum, usd) => sum + usd, 0)
    const percentOff = 100 * (1 - (total.cost - total.unusedCost) / listed)
    return {
      ...head,
      kind: 'savings_plan',
      ...(total.isOfFamily &&
        instanceType !== '' && { family: provider.familyOf(instanceType), region: total.region }),
      ...(percentOff > 0 && percentOff < 100 && { percent_off: round(percentOff, 1) }),
      usd_per_hour: round(total.cost / hours, 4),
    }
  }
  if (most === 0) return undefined
  const billed = billedUnit(instanceType)
  if (billed !== undefined) {
    const inUse = (unit: string) => round((total.hoursByType.get(`${billed.family} ${unit}`) ?? 0) / hours, 2)
    const amounts = { vcpus: inUse('core'), memory_gib: inUse('gib') }
    const cost_per_hour_usd = round(total.cost / hours, 4)
    return {
      ...head,
      kind: 'committed_use',
      region: total.region,
      family: billed.family,
      ...amounts,
      cost_per_hour_usd,
    }
  }
  const used = total.cost - total.unusedCost
  const share = used > 0 ? total.cost / used : 1
  return {
    ...head,
    kind: 'reserved_instance',
    region: total.region,
    instance_type: instanceType,
    instances: round((share * inSizesOf(provider, instanceType, types)) / hours, 2),
    cost_per_hour_usd: round(total.cost / hours, 4),
  }
}

/** Hours of all sizes, in hours of one: two hours of an m5.large are one of an m5.xlarge. */
function inSizesOf(provider: Provider, instanceType: string, types: readonly (readonly [string, number])[]) {
  const unit = flexibleSizeOf(provider, instanceType)?.units ?? 1
  return types.reduce(
    (sum, [type, hours]) => sum + (hours * (flexibleSizeOf(provider, type)?.units ?? unit)) / unit,
    0,
  )
}
