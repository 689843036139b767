import {
  type BilledCommitment,
  type BilledDisk,
  type BillFormat,
  type BillLine,
  type BillLineClass,
  billHour,
  billNumber,
  billText,
} from '../../domain/bill-line.ts'
import { memoizeNames } from '../../domain/names.ts'
import { findProvider } from '../providers.ts'

const columns = [
  'ChargeCategory',
  'ProviderName',
  'ServiceProviderName',
  'PublisherName',
  'RegionId',
  'ChargeDescription',
  'SkuPriceDetails',
  'x_SkuDetails',
  'PricingCategory',
  'PricingQuantity',
  'ContractedCost',
  'EffectiveCost',
  'BilledCost',
  'BillingCurrency',
  'ChargePeriodStart',
  'CommitmentDiscountId',
  'CommitmentDiscountType',
  'CommitmentDiscountStatus',
  'CommitmentDiscountCategory',
  'PricingUnit',
] as const
type Column = (typeof columns)[number]

const at = Object.fromEntries(columns.map((name, index) => [name, index])) as Record<Column, number>

/** FOCUS 1.0 to 1.4, of any provider. focus.finops.org/focus-specification */
export const focusBill: BillFormat = {
  name: 'FOCUS',
  columns,
  isFormatOf: (names) => names.includes('ChargeCategory') && names.includes('BilledCost'),
  lineOf(values): BillLine {
    const text = (name: Column): string => billText(values[at[name]])
    const provider = text('ServiceProviderName') || text('ProviderName')
    const machine = /hour|hrs/i.test(text('PricingUnit'))
      ? machineIn(text('ChargeDescription'), text('SkuPriceDetails') || text('x_SkuDetails'))
      : undefined
    const disk = diskIn(text('ChargeDescription'), billNumber(values[at.PricingQuantity]))
    const kind = classOf(text, provider, machine !== undefined, disk !== undefined)
    const isCommitted = kind === 'committed' || kind === 'unused_commitment'
    return {
      class: kind,
      provider,
      region: text('RegionId'),
      instanceType: machine?.instanceType ?? '',
      operatingSystem: machine?.operatingSystem,
      hours: machine === undefined ? 0 : billNumber(values[at.PricingQuantity]),
      cost: costOf((name) => billNumber(values[at[name]]), isCommitted || kind === 'purchase'),
      currency: text('BillingCurrency'),
      hour: billHour(values[at.ChargePeriodStart]),
      commitment: isCommitted ? commitmentIn(text) : undefined,
      disk: kind === 'disk' ? disk : undefined,
    }
  },
}

/** Some exports leave ContractedCost or EffectiveCost at 0 where something was billed. */
const costOf = (number: (name: Column) => number, isAmortised: boolean): number =>
  isAmortised
    ? number('EffectiveCost')
    : number('ContractedCost') || number('EffectiveCost') || number('BilledCost')

function classOf(
  text: (name: Column) => string,
  provider: string,
  isMachine: boolean,
  isDisk: boolean,
): BillLineClass {
  const category = text('ChargeCategory').toLowerCase()
  if (category === 'tax' || category === 'credit' || category === 'purchase') return category
  if (category !== 'usage') return 'other'
  const publisher = text('PublisherName')
  if (publisher !== '' && publisher !== provider && sellerOf(publisher) !== sellerOf(provider))
    return 'marketplace'
  if (text('CommitmentDiscountStatus').toLowerCase() === 'unused') return 'unused_commitment'
  if (text('CommitmentDiscountId') !== '') return 'committed'
  if (!isMachine) return isDisk ? 'disk' : 'other'
  return text('PricingCategory').toLowerCase() === 'dynamic' ? 'spot' : 'on_demand'
}

/** Amazon Web Services, Inc. -> AWS: providers are named with and without the rest of their company's name. */
const sellerOf = memoizeNames((company) => {
  const words = company.split(/[\s,.()]+/)
  return words
    .map((_, dropped) => findProvider(words.slice(0, words.length - dropped).join(' ')))
    .find((provider) => provider !== undefined)
})

function commitmentIn(text: (name: Column) => string): BilledCommitment {
  const type = text('CommitmentDiscountType')
  const isPlan = text('CommitmentDiscountCategory') === 'Spend' || /savings/i.test(type)
  return { id: text('CommitmentDiscountId'), isPlan, isOfFamily: /instance savings/i.test(type), until: '' }
}

/** Descriptions of disks; the first group is the name of the type, unless the row has one. */
const disks: readonly (readonly [RegExp, BilledDisk['unit'], name?: string])[] = [
  [/per GB-month of .*\((\w+)\).* provisioned storage/, 'GiB-month'],
  [/per GB-month of Magnetic provisioned storage/, 'GiB-month', 'standard'],
  [/per provisioned IOPS-month of (\w+)/, 'IOPS-month'],
  [/per provisioned MiBps-month of (\w+)/, 'MB/s-month'],
  [/Managed Disks - ([PES]\d+ [LZ]RS)/, 'disk-month'],
  [/^Balanced PD Capacity/, 'GiB-month', 'pd-balanced'],
  [/^SSD backed PD Capacity/, 'GiB-month', 'pd-ssd'],
  [/^Storage PD Capacity/, 'GiB-month', 'pd-standard'],
]

function diskIn(description: string, billed: number): BilledDisk | undefined {
  for (const [pattern, unit, name] of disks) {
    const found = pattern.exec(description)
    if (found === null) continue
    // Billed in GiB per second, and priced per MiB per second.
    const quantity = unit === 'MB/s-month' ? billed * 1024 : billed
    return { name: name ?? found[1]!, unit, quantity }
  }
  return undefined
}

/** N2 Instance Core running in Americas; N1 Predefined Instance Ram running in Belgium. What is spot begins otherwise. */
const perUnit = /^([A-Z]\w+) (?:AMD |Predefined |Custom )?Instance (Core|Ram) running in /

/** Reads `$0.34 per On Demand Linux c5.2xlarge Instance Hour`, or the details of the SKU, which some exports have. */
function machineIn(description: string, details: string) {
  const [, series, part] = perUnit.exec(description) ?? []
  if (series !== undefined)
    return {
      instanceType: `${series.toLowerCase()} ${part === 'Core' ? 'core' : 'gib'}`,
      operatingSystem: 'Linux',
    } as const
  const type =
    /"(?:InstanceType|ServiceType|x_InstanceType|instanceType)"\s*:\s*"([^"]+)"/.exec(details)?.[1] ??
    / ((?:[a-z][a-z0-9-]*\.[a-z0-9-]+)|Standard_\w+) Instance[ -]?H(?:ou)?r/i.exec(description)?.[1]
  if (type === undefined) return undefined
  const system = /"OperatingSystem"\s*:\s*"([^"]+)"/.exec(details)?.[1] ?? description
  const isOther = /RHEL|Red Hat|SUSE|SQL/i.test(system)
  const operatingSystem = isOther ? undefined : /windows/i.test(system) ? 'Windows' : 'Linux'
  return { instanceType: type, operatingSystem } as const
}
