import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadCatalogue, shippedCatalogue } from '../../catalogue/load-catalogue.ts'
import type { ExchangeRate } from '../../domain/manifest.ts'
import { familyRatesIn } from '../find-current.ts'
import { enabledProviders, noOwnPrices, type PricingDeps } from '../market.ts'
import { checkPriceRules } from '../rules/store-rules.ts'
import { BillTotals, currencyFault } from './bill-totals.ts'
import { BadBill, CsvRows } from './csv-rows.ts'
import { learnPrices } from './learn-prices.ts'
import { csvOf, focusRows, type PlantedBill, parquetOf, reportRows } from './planted-bill.case.ts'
import { proposeRules } from './propose-rules.ts'
import { readBill } from './read-bill.ts'

const directory = mkdtempSync(join(tmpdir(), 'cheapside-bills-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const types = [
  'm5.xlarge',
  'm5.4xlarge',
  'c6i.2xlarge',
  'r6i.xlarge',
  'm7i.large',
  'm7i.4xlarge',
  't3.medium',
]
let deps: PricingDeps
let planted: PlantedBill

beforeAll(async () => {
  const on = enabledProviders([])
  const { catalogue } = await loadCatalogue(shippedCatalogue, on.providers)
  deps = { ...on, catalogue: () => catalogue, own: () => noOwnPrices }
  const listed = (instanceType: string): number =>
    catalogue
      .offersOf({ provider: 'aws', region: 'us-east-1', instanceType, operatingSystem: 'Linux' })
      .find(({ usageType }) => usageType === 'ONDEMAND')!.pricePerHourUsd
  planted = { days: 3, types: types.map((type) => [type, listed(type)]) }
})

async function totalsOf(
  name: string,
  bytes: string | Uint8Array,
  exchange: ExchangeRate | null = null,
): Promise<BillTotals> {
  writeFileSync(join(directory, name), bytes)
  const totals = new BillTotals(exchange)
  await readBill(join(directory, name), (line) => totals.add(line))
  return totals
}

describe('a bill with planted rules', () => {
  const files: readonly (readonly [string, () => string | Uint8Array, string])[] = [
    ['focus.csv', () => csvOf(focusRows(planted)), '2027-10-01'],
    ['focus.csv.gz', () => gzipSync(csvOf(focusRows(planted))), '2027-10-01'],
    ['focus.parquet', () => parquetOf(focusRows(planted), 100), '2027-10-01'],
    ['report.csv', () => csvOf(reportRows(planted)), '2028-05-31'],
  ]
  test.each(files)('%s: the fewest rules and the plan are found', async (name, bytes, until) => {
    const totals = await totalsOf(name, bytes())
    const learned = learnPrices(deps, [], totals)
    expect(learned.rules).toMatchObject([
      { provider: 'aws', percent_off: 9 },
      { provider: 'aws', family: 'm7i', percent_off: 15 },
    ])
    expect(learned.commitments).toMatchObject([
      { kind: 'savings_plan', provider: 'aws', usd_per_hour: 5, percent_off: 34, until },
    ])
    expect(learned.explained_percent).toBe(100)
    expect(learned.explained_percent_now).toBe(0)
    expect(learned.differences).toEqual([])
    expect(Math.abs(learned.on_demand.proposed / learned.on_demand.billed - 1)).toBeLessThan(0.001)
    const cost = (of: string) => learned.classes.find((one) => one.class === of)?.cost
    expect([cost('credit'), cost('tax'), cost('marketplace')]).toEqual([-500, 77, 900])
    expect(cost('unused_commitment')).toBeCloseTo(72, 6)
  })

  test('of Google has cores and GiB of families, not types', async () => {
    const place = { region: 'us-central1', operatingSystem: 'Linux', usageType: 'ONDEMAND' } as const
    const rates = familyRatesIn(deps.catalogue(), {
      ...place,
      provider: 'gcp',
      family: 'n2',
      term: '',
      zone: '',
    })!
    const line = (what: string, quantity: number, usd: number, committed = '') => ({
      ...{
        ChargeCategory: 'Usage',
        ProviderName: 'Google Cloud',
        RegionId: 'us-central1',
        PricingUnit: 'hour',
      },
      ...{ ChargeDescription: `N2 Instance ${what} running in Americas`, PricingQuantity: quantity },
      ...{ ContractedCost: usd, EffectiveCost: usd, BilledCost: usd, BillingCurrency: 'USD' },
      ...{ ChargePeriodStart: '2026-10-01T00:00:00Z', CommitmentDiscountId: committed },
    })
    const totals = await totalsOf(
      'google.csv',
      csvOf([
        line('Core', 400, 0.88 * 400 * rates.corePerHourUsd),
        line('Ram', 1600, 0.88 * 1600 * rates.gibPerHourUsd),
        line('Core', 8, 0.1, 'cud'),
        line('Ram', 32, 0.1, 'cud'),
      ]),
    )
    const learned = learnPrices(deps, [], totals)
    expect(learned.rules).toMatchObject([{ provider: 'gcp', percent_off: 12 }])
    expect(learned.explained_percent).toBe(100)
    expect(learned.commitments).toMatchObject([
      { kind: 'committed_use', family: 'n2', region: 'us-central1', vcpus: 8, memory_gib: 32 },
    ])
  })

  test('is explained by the rules once they are set', async () => {
    const totals = await totalsOf('again.csv', csvOf(focusRows(planted)))
    const rules = checkPriceRules(learnPrices(deps, [], totals).rules)
    expect(learnPrices(deps, rules, totals)).toMatchObject({
      rules: [],
      explained_percent_now: expect.any(Number),
    })
  })
})

test('machines without a listed price, and other systems, remain', async () => {
  const rows = [...focusRows(planted)].slice(0, 1).flatMap((row) => [
    { ...row, ChargeDescription: '$1 per On Demand Linux m99.xlarge Instance Hour' },
    { ...row, ChargeDescription: '$1 per On Demand RHEL m5.xlarge Instance Hour' },
  ])
  const learned = learnPrices(deps, [], await totalsOf('other.csv', csvOf(rows)))
  expect(learned.rules).toEqual([])
  expect(learned.differences.map((one) => [one.instance_type, one.proposed])).toEqual([
    ['m99.xlarge', null],
    ['m5.xlarge', null],
  ])
})

test('disks are compared with their list prices, also in a bill in euro', async () => {
  const exchange = { from: 'EUR', to: 'USD', rate: 1.25, day: '2026-11-13', source: 'ECB' }
  const base = { ChargeCategory: 'Usage', BillingCurrency: 'EUR', ProviderName: 'AWS', PublisherName: 'AWS' }
  const line = (ChargeDescription: string, PricingQuantity: number, BilledCost: number) => ({
    ...{ ...base, RegionId: 'us-east-1', ChargeDescription, PricingQuantity, BilledCost },
  })
  const azure = { ...base, ProviderName: 'Microsoft', PublisherName: 'Microsoft', RegionId: 'eastus' }
  const tier = 'Premium SSD Managed Disks - P10 LRS - US East'
  const rows = [
    line('$0.08 per GB-month of General Purpose (gp3) provisioned storage - US East', 100, 6.4),
    line('$0.005 per provisioned IOPS-month of gp3 - US East', 1000, 4),
    line('$0.04 per provisioned MiBps-month of gp3 - US East', 1, 32.768),
    line('$0.10 per GB-month of General Purpose SSD (gp2) provisioned storage - US East', 50, 2),
    { ...azure, ChargeDescription: tier, PricingQuantity: 1, BilledCost: 19.71 / 1.25 },
  ]
  const learned = learnPrices(deps, [], await totalsOf('euro.csv', csvOf(rows), exchange))
  expect(learned.exchange).toEqual({ currency: 'EUR', usd: 1.25, day: '2026-11-13' })
  expect(learned.classes).toEqual([{ class: 'disk', lines: 5, cost: 76.17 }])
  expect(learned.disks).toEqual({ billed: 76.17, listed: 78.67 })
  expect(learned.differences).toMatchObject([
    { instance_type: 'gp2', quantity: 50, unit: 'GiB-month', billed: 2.5, now: 5, proposed: 5 },
  ])
  const report = ['EBS:VolumeUsage.gp3', 'EUC1-EBS:VolumeP-IOPS.piops'].map((usage) => ({
    ...{ line_item_line_item_type: 'Usage', line_item_usage_type: usage, line_item_usage_amount: 10 },
    ...{ product_region_code: 'us-east-1', line_item_unblended_cost: 0.8, line_item_currency_code: 'USD' },
  }))
  const { disks } = await totalsOf('report-disks.csv', csvOf(report))
  expect([...disks.values()]).toMatchObject([
    { name: 'gp3', unit: 'GiB-month', quantity: 10 },
    { name: 'io1', unit: 'IOPS-month', quantity: 10 },
  ])
  const pounds = await totalsOf('pounds.csv', csvOf([{ ...rows[0]!, BillingCurrency: 'GBP' }]), exchange)
  expect(currencyFault(pounds)).toBe('is in GBP; only bills in USD or EUR can be compared')
})

test('one rate of one type in one region is a rule for it', () => {
  const kind = (instanceType: string, region: string, ratio: number) => ({
    provider: 'aws',
    region,
    family: instanceType.split('.')[0]!,
    instanceType,
    expectedUsd: 100,
    billedUsd: 100 * ratio,
  })
  const kinds = ['m5.large', 'm5.xlarge', 'c5.large'].flatMap((type) => [
    kind(type, 'a', 1),
    kind(type, 'b', 1),
  ])
  expect(proposeRules(kinds)).toEqual([])
  expect(proposeRules([...kinds.slice(1), kind('m5.large', 'a', 0.7)])).toMatchObject([
    { instance_type: 'm5.large', region: 'a', percent_off: 30 },
  ])
})

describe('what is no bill', () => {
  test.each([
    ['text', 'a,b\n1,2\n', 'is none of FOCUS, CUR 2.0'],
    ['a legacy report', 'lineItem/LineItemType,x\n1,2\n', 'it is a legacy Cost and Usage Report'],
    ['an open quote', 'ChargeCategory,BilledCost\n"Usage,1\n', 'opens a quote that is not closed'],
    ['nothing', '', 'is empty'],
    ['damaged gzip', gzipSync('ChargeCategory,BilledCost\nUsage,1\n').subarray(0, 20), 'is damaged gzip'],
    ['damaged Parquet', Buffer.from('PAR1xxxxPAR1'), 'is damaged Parquet'],
  ])('%s is refused', async (_, bytes, message) => {
    await expect(totalsOf('bad', bytes)).rejects.toThrow(message)
  })
})

test('damaged files are refused as such', async () => {
  const columns = 'ChargeCategory,BilledCost,BillingCurrency\n'
  const parquet = Buffer.from(parquetOf(focusRows({ ...planted, days: 1 }), 20))
  const footer = (bytes: number) => Buffer.concat([Buffer.alloc(100), Buffer.from([bytes]), ending])
  const ending = Buffer.from('\0\0\0PAR1')
  const files = [
    ['too long', gzipSync(columns + 'a'.repeat(2 ** 24))],
    ['too many columns', gzipSync(columns.trim() + ','.repeat(2 ** 20))],
    ['damaged gzip', gzipSync(columns).subarray(0, 30)],
    ['damaged Parquet', Buffer.concat([Buffer.from('PAR1'), footer(200)])],
    ['damaged Parquet', Buffer.concat([Buffer.from('PAR1'), footer(90)])],
    ['damaged Parquet', parquet.subarray(0, -100)],
  ] as const
  for (const [fault, bytes] of files) await expect(totalsOf('damaged', bytes)).rejects.toThrow(fault)
  const byte = fc.tuple(fc.nat(parquet.length - 1), fc.nat(255))
  await fc.assert(
    fc.asyncProperty(fc.array(byte, { minLength: 1, maxLength: 5 }), async (changes) => {
      const bytes = Buffer.from(parquet)
      for (const [at, value] of changes) bytes[at] = value
      await totalsOf('changed', bytes).catch((error) => expect(error).toBeInstanceOf(BadBill))
    }),
    { numRuns: 100 },
  )
  // Each value of the footer damaged on its own: several parts of the file cannot be read then, and each is refused.
  const footerAt = parquet.length - 8 - parquet.readUInt32LE(parquet.length - 8)
  for (let at = footerAt; at < parquet.length; at += 40) {
    const bytes = Buffer.from(parquet)
    bytes[at] = 0xff
    await totalsOf('changed', bytes).catch((error) => expect(error).toBeInstanceOf(BadBill))
  }
  expect((await totalsOf('empty-lines.csv', columns + '\n'.repeat(2 ** 20))).lines).toBe(0)
})

test('CSV is the same however it is cut', () => {
  const text = '\ufeffa,"b ""c""",\r\n\n1,"2\n3",4\r\nlast,,'
  const whole = new CsvRows().push(text, true)
  expect(whole).toEqual([
    ['a', 'b "c"', ''],
    ['1', '2\n3', '4'],
    ['last', '', ''],
  ])
  for (let size = 1; size < text.length; size++) {
    const rows = new CsvRows()
    const records: string[][] = []
    for (let at = 0; at < text.length; at += size)
      records.push(...rows.push(text.slice(at, at + size), at + size >= text.length))
    expect(records).toEqual(whole)
  }
  expect(() => new CsvRows(10).push('x'.repeat(11), false)).toThrow('a line that is too long')
})
