import { gzipSync } from 'node:zlib'

/** What a made bill contains: one month, with known rules and one savings plan. */
export interface PlantedBill {
  /** Instance types and their listed prices per hour, in us-east-1. */
  readonly types: readonly (readonly [instanceType: string, listedUsd: number])[]
  readonly days: number
}

const edp = 0.91
const privateFamily = 'm7i'
const privateRate = 0.85
const planUsdPerHour = 5
const planRatio = 0.66
const planId = 'arn:aws:savingsplans::1:savingsplan/planted'

type Row = Readonly<Record<string, string | number>>

/**
 * Lines of machines at 9% off, one family at another 15% off, and a savings plan that is used for four fifths; beside them
 * spot, credits, tax, a row of a marketplace and other services. Each line has noise of a tenth of a percent.
 */
export function* focusRows({ types, days }: PlantedBill): Generator<Row> {
  const random = randomNumbers(7)
  for (let hour = 0; hour < days * 24; hour++) {
    const start = new Date(Date.UTC(2026, 9, 1, hour)).toISOString().replace('T', ' ').slice(0, 19)
    const base = {
      ChargePeriodStart: start,
      ProviderName: 'Amazon Web Services',
      PublisherName: 'AWS',
      BillingCurrency: 'USD',
      RegionId: 'us-east-1',
      ChargeCategory: 'Usage',
      PricingCategory: 'Standard',
      PricingUnit: 'Hrs',
    }
    const cost = (usd: number) => ({ ContractedCost: usd, EffectiveCost: usd, BilledCost: usd })
    for (const [type, listedUsd] of types) {
      const hours = 1 + Math.floor(8 * random())
      const noise = 1 + 0.002 * (random() - 0.5)
      const rate = edp * (type.startsWith(`${privateFamily}.`) ? privateRate : 1)
      yield {
        ...base,
        ...cost(hours * listedUsd * rate * noise),
        PricingQuantity: hours,
        ChargeDescription: `$${listedUsd} per On Demand Linux ${type} Instance Hour`,
      }
    }
    const [type, listedUsd] = types[0]!
    const plan = {
      CommitmentDiscountId: planId,
      CommitmentDiscountType: 'Savings Plan',
      CommitmentDiscountCategory: 'Spend',
    }
    const covered = (0.8 * planUsdPerHour) / (listedUsd * planRatio)
    yield {
      ...base,
      ...plan,
      ...cost(0.8 * planUsdPerHour),
      BilledCost: 0,
      ContractedCost: covered * listedUsd * edp,
      CommitmentDiscountStatus: 'Used',
      PricingCategory: 'Committed',
      PricingQuantity: covered,
      ChargeDescription: `$${listedUsd} per On Demand Linux ${type} Instance Hour`,
    }
    yield {
      ...base,
      ...plan,
      ...cost(0.2 * planUsdPerHour),
      BilledCost: 0,
      CommitmentDiscountStatus: 'Unused',
      ChargeDescription: 'unused',
    }
    const spot = {
      ChargeDescription: `per On Demand Linux ${type} Instance Hour`,
      PricingCategory: 'Dynamic',
      PricingQuantity: 3,
    }
    yield { ...base, ...cost(3 * listedUsd * (0.2 + 0.3 * random())), ...spot }
    yield { ...base, ...cost(0.5), PricingUnit: 'GB', ChargeDescription: 'a "quoted", line\nof storage' }
  }
  const once = { ChargePeriodStart: '2026-10-01 00:00:00', ProviderName: 'AWS', BillingCurrency: 'USD' }
  yield {
    ...once,
    ChargeCategory: 'Credit',
    BilledCost: -500,
    ContractedCost: -500,
    ChargeDescription: 'NULL',
  }
  yield { ...once, ChargeCategory: 'Tax', BilledCost: 77, ContractedCost: 77 }
  yield {
    ...once,
    ChargeCategory: 'Usage',
    PublisherName: 'Acme Software',
    BilledCost: 900,
    ContractedCost: 900,
  }
}

/** The same bill as an AWS report; discounts are lines of their own, as in accounts that have no net columns. */
export function* reportRows(bill: PlantedBill): Generator<Row> {
  for (const row of focusRows(bill)) {
    const [, type = ''] = / (\S+) Instance Hour/.exec(String(row.ChargeDescription)) ?? []
    const isMachine = type !== '' && row.PricingCategory === 'Standard'
    const listed = isMachine ? Number(row.ContractedCost) / edp : Number(row.ContractedCost)
    const machine = {
      line_item_operation: 'RunInstances',
      line_item_usage_type: `${row.PricingCategory === 'Dynamic' ? 'SpotUsage' : 'BoxUsage'}:${type}`,
      line_item_usage_amount: row.PricingQuantity ?? '',
      product_instance_type: type,
      product_region_code: row.RegionId ?? '',
    }
    const base = {
      line_item_usage_start_date: String(row.ChargePeriodStart).replace(' ', 'T'),
      line_item_currency_code: 'USD',
      bill_billing_entity: row.PublisherName === 'Acme Software' ? 'AWS Marketplace' : 'AWS',
      ...(type === '' ? {} : machine),
    }
    const plan = {
      savings_plan_savings_plan_a_r_n: planId,
      savings_plan_end_time: '2028-05-31T23:00:00.000Z',
    }
    if (row.CommitmentDiscountStatus === 'Used')
      yield {
        ...base,
        ...plan,
        line_item_line_item_type: 'SavingsPlanCoveredUsage',
        savings_plan_savings_plan_effective_cost: row.EffectiveCost!,
      }
    else if (row.CommitmentDiscountStatus === 'Unused')
      yield {
        ...base,
        ...plan,
        line_item_line_item_type: 'SavingsPlanRecurringFee',
        savings_plan_total_commitment_to_date: planUsdPerHour,
        savings_plan_used_commitment: 0.8 * planUsdPerHour,
      }
    else {
      yield { ...base, line_item_line_item_type: row.ChargeCategory!, line_item_unblended_cost: listed }
      if (isMachine)
        yield {
          ...base,
          line_item_line_item_type: 'EdpDiscount',
          line_item_unblended_cost: listed * (edp - 1),
        }
    }
  }
}

export function csvOf(rows: Iterable<Row>): string {
  const all = [...rows]
  const names = [...new Set(all.flatMap((row) => Object.keys(row)))]
  const cell = (value: string | number | undefined) =>
    /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? '')
  return [names.join(','), ...all.map((row) => names.map((name) => cell(row[name])).join(','))].join('\r\n')
}

/** Writes texts as a Parquet file with one page per column and row group, with gzip. */
export function parquetOf(rows: Iterable<Row>, rowsPerGroup: number): Buffer {
  const all = [...rows]
  const names = [...new Set(all.flatMap((row) => Object.keys(row)))]
  const pieces: Buffer[] = [Buffer.from('PAR1')]
  const groups: Buffer[] = []
  let at = 4
  for (let from = 0; from < all.length; from += rowsPerGroup) {
    const group = all.slice(from, from + rowsPerGroup)
    const chunks = names.map((name) => {
      const plain = Buffer.concat(
        group.map((row) => {
          const text = Buffer.from(String(row[name] ?? ''))
          const length = Buffer.alloc(4)
          length.writeUInt32LE(text.length)
          return Buffer.concat([length, text])
        }),
      )
      const packed = gzipSync(plain)
      const page = struct(
        [1, int(0)],
        [2, int(plain.length)],
        [3, int(packed.length)],
        [5, record([1, int(group.length)], [2, int(0)], [3, int(3)], [4, int(3)])],
      )
      const offset = at
      pieces.push(page, packed)
      at += page.length + packed.length
      const meta = record(
        [1, int(6)],
        [2, list(5, [varint(0)])],
        [3, list(8, [binary(name)])],
        [4, int(2)],
        [5, long(group.length)],
        [6, long(page.length + plain.length)],
        [7, long(page.length + packed.length)],
        [9, long(offset)],
      )
      return struct([2, long(offset)], [3, meta])
    })
    groups.push(struct([1, list(12, chunks)], [2, long(1)], [3, long(group.length)]))
  }
  const root = struct([4, { type: 8, bytes: binary('schema') }], [5, int(names.length)])
  const leaves = names.map((name) =>
    struct([1, int(6)], [3, int(0)], [4, { type: 8, bytes: binary(name) }], [6, int(0)]),
  )
  const footer = struct(
    [1, int(1)],
    [2, list(12, [root, ...leaves])],
    [3, long(all.length)],
    [4, list(12, groups)],
  )
  const length = Buffer.alloc(4)
  length.writeUInt32LE(footer.length)
  return Buffer.concat([...pieces, footer, length, Buffer.from('PAR1')])
}

/** A value in the compact protocol of Thrift. */
interface ThriftValue {
  readonly type: number
  readonly bytes: Buffer
}

type ThriftField = readonly [id: number, value: ThriftValue]

const struct = (...fields: ThriftField[]): Buffer => {
  let last = 0
  const written = fields.map(([id, { type, bytes }]) => {
    const head = Buffer.from([((id - last) << 4) | type])
    last = id
    return Buffer.concat([head, bytes])
  })
  return Buffer.concat([...written, Buffer.from([0])])
}
const record = (...fields: ThriftField[]): ThriftValue => ({ type: 12, bytes: struct(...fields) })
const int = (value: number): ThriftValue => ({ type: 5, bytes: varint(2 * value) })
const long = (value: number): ThriftValue => ({ type: 6, bytes: varint(2 * value) })
const binary = (text: string): Buffer => Buffer.concat([varint(Buffer.byteLength(text)), Buffer.from(text)])
const list = (type: number, items: readonly Buffer[]): ThriftValue => ({
  type: 9,
  bytes: Buffer.concat([
    items.length < 15
      ? Buffer.from([(items.length << 4) | type])
      : Buffer.concat([Buffer.from([0xf0 | type]), varint(items.length)]),
    ...items,
  ]),
})

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return Buffer.from([...bytes, rest])
}

function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}
