import {
  type BilledDisk,
  type BillFormat,
  type BillLine,
  type BillLineClass,
  billHour,
  billNumber,
  billText,
} from '../../domain/bill-line.ts'
import type { OperatingSystem } from '../../domain/offer.ts'

const columns = [
  'line_item_line_item_type',
  'bill_billing_entity',
  'product_region_code',
  'product_instance_type',
  'line_item_usage_type',
  'line_item_operation',
  'line_item_usage_amount',
  'line_item_unblended_cost',
  'line_item_net_unblended_cost',
  'line_item_currency_code',
  'line_item_usage_start_date',
  'savings_plan_savings_plan_a_r_n',
  'savings_plan_savings_plan_effective_cost',
  'savings_plan_net_savings_plan_effective_cost',
  'savings_plan_total_commitment_to_date',
  'savings_plan_used_commitment',
  'savings_plan_offering_type',
  'savings_plan_end_time',
  'reservation_reservation_a_r_n',
  'reservation_effective_cost',
  'reservation_net_effective_cost',
  'reservation_unused_amortized_upfront_fee_for_billing_period',
  'reservation_unused_recurring_fee',
  'reservation_end_time',
] as const
type Column = (typeof columns)[number]

const at = Object.fromEntries(columns.map((name, index) => [name, index])) as Record<Column, number>

/** The Cost and Usage Report 2.0 of Data Exports. docs.aws.amazon.com/cur/latest/userguide/table-dictionary-cur2.html */
export const costAndUsageReport: BillFormat = {
  name: 'CUR 2.0',
  columns,
  isFormatOf: (names) => names.includes('line_item_line_item_type'),
  lineOf(values): BillLine {
    const text = (name: Column): string => billText(values[at[name]])
    const number = (name: Column): number => billNumber(values[at[name]])
    const type = text('line_item_line_item_type')
    const [, use = '', named = ''] = /(BoxUsage|SpotUsage):?(\S*)/.exec(text('line_item_usage_type')) ?? []
    const isMachine = use !== '' && text('line_item_operation').startsWith('RunInstances')
    const disk = diskIn(text('line_item_usage_type'), number('line_item_usage_amount'))
    const kind = classOf(type, text('bill_billing_entity'), isMachine, use, disk !== undefined)
    const isHours = isMachine && kind !== 'discount'
    return {
      class: kind,
      provider: 'aws',
      region: text('product_region_code'),
      instanceType: isMachine ? text('product_instance_type') || named : '',
      operatingSystem: systems.get(text('line_item_operation')),
      hours: isHours ? number('line_item_usage_amount') : 0,
      cost: costOf(type, text, number),
      currency: text('line_item_currency_code'),
      hour: billHour(values[at.line_item_usage_start_date]),
      commitment: commitmentIn(kind, text),
      disk: kind === 'disk' ? disk : undefined,
    }
  },
}

/** Linux and Windows; other operations license other systems or databases. docs.aws.amazon.com/AWSEC2/latest/UserGuide/billing-info-fields.html */
const systems: ReadonlyMap<string, OperatingSystem> = new Map([
  ['RunInstances', 'Linux'],
  ['RunInstances:0002', 'Windows'],
])

/** Volumes; types are named as in usage types. docs.aws.amazon.com/ebs/latest/userguide/ebs-volume-types.html */
const diskUse = /EBS:Volume(Usage|P-IOPS|P-Throughput)(?:\.(\w+))?$/
const diskUnit = { Usage: 'GiB-month', 'P-IOPS': 'IOPS-month', 'P-Throughput': 'MB/s-month' } as const

function diskIn(usageType: string, amount: number): BilledDisk | undefined {
  const [, use, type = 'standard'] = diskUse.exec(usageType) ?? []
  if (use === undefined) return undefined
  const unit = diskUnit[use as keyof typeof diskUnit]
  const quantity = unit === 'MB/s-month' ? amount * 1024 : amount
  return { name: type === 'piops' ? 'io1' : type, unit, quantity }
}

function classOf(type: string, entity: string, isMachine: boolean, use: string, isDisk: boolean) {
  if (entity === 'AWS Marketplace') return 'marketplace'
  if (/Discount$/.test(type)) return 'discount'
  if (type === 'Credit' || type === 'Tax') return type === 'Tax' ? 'tax' : 'credit'
  if (type === 'SavingsPlanCoveredUsage' || type === 'DiscountedUsage') return 'committed'
  if (type === 'SavingsPlanRecurringFee' || type === 'RIFee') return 'unused_commitment'
  if (/Fee$|Negation$/.test(type)) return 'purchase'
  if (type !== 'Usage' || !isMachine) return type === 'Usage' && isDisk ? 'disk' : 'other'
  return use === 'SpotUsage' ? 'spot' : 'on_demand'
}

/** The amortised cost by type of line, with discounts where the report has columns for them. */
function costOf(type: string, text: (name: Column) => string, number: (name: Column) => number): number {
  const net = (name: Column, gross: Column): number => (text(name) === '' ? number(gross) : number(name))
  if (type === 'SavingsPlanCoveredUsage')
    return net('savings_plan_net_savings_plan_effective_cost', 'savings_plan_savings_plan_effective_cost')
  if (type === 'SavingsPlanRecurringFee')
    return number('savings_plan_total_commitment_to_date') - number('savings_plan_used_commitment')
  if (type === 'DiscountedUsage') return net('reservation_net_effective_cost', 'reservation_effective_cost')
  if (type === 'RIFee')
    return (
      number('reservation_unused_amortized_upfront_fee_for_billing_period') +
      number('reservation_unused_recurring_fee')
    )
  if (/Negation$|UpfrontFee$/.test(type)) return 0
  // A discount is in the net cost of its usage already.
  if (/Discount$/.test(type) && text('line_item_net_unblended_cost') !== '') return 0
  return net('line_item_net_unblended_cost', 'line_item_unblended_cost')
}

function commitmentIn(kind: BillLineClass, text: (name: Column) => string): BillLine['commitment'] {
  if (kind !== 'committed' && kind !== 'unused_commitment') return undefined
  const plan = text('savings_plan_savings_plan_a_r_n')
  return {
    id: plan || text('reservation_reservation_a_r_n'),
    isPlan: plan !== '',
    isOfFamily: text('savings_plan_offering_type').startsWith('EC2Instance'),
    until: text(plan === '' ? 'reservation_end_time' : 'savings_plan_end_time').slice(0, 10),
  }
}
