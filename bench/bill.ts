import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGzip } from 'node:zlib'
import { loadCatalogue, shippedCatalogue } from '../src/catalogue/load-catalogue.ts'
import { BillTotals } from '../src/pricing/bill/bill-totals.ts'
import { learnPrices } from '../src/pricing/bill/learn-prices.ts'
import { readBill } from '../src/pricing/bill/read-bill.ts'
import { enabledProviders, noOwnPrices } from '../src/pricing/market.ts'

// How long a bill takes, and how much memory. It is written to a temporary file first.
//   node bench/bill.ts --lines 1000000

const { values } = parseArgs({ options: { lines: { type: 'string', default: '1000000' } } })
const lines = Number(values.lines)
const on = enabledProviders([])
const { catalogue } = await loadCatalogue(shippedCatalogue, on.providers)
const deps = { ...on, catalogue: () => catalogue, own: () => noOwnPrices }
const directory = mkdtempSync(join(tmpdir(), 'cheapside-bench-bill-'))
const types = catalogue
  .facets()
  .find(({ provider }) => provider === 'aws')!
  .types.flatMap((instanceType) => {
    const query = { provider: 'aws', region: 'us-east-1', instanceType, operatingSystem: 'Linux' } as const
    const offer = catalogue.offersOf(query).find(({ usageType }) => usageType === 'ONDEMAND')
    return offer === undefined ? [] : [[instanceType, offer.pricePerHourUsd] as const]
  })

for (const name of ['bill.csv', 'bill.csv.gz']) {
  const file = join(directory, name)
  await writeBill(file, name.endsWith('.gz'))
  const before = process.memoryUsage.rss()
  let peak = before
  const [started, cpu] = [performance.now(), process.cpuUsage()]
  const totals = new BillTotals()
  await readBill(file, (line) => {
    totals.add(line)
    if (totals.lines % 10_000 === 0) peak = Math.max(peak, process.memoryUsage.rss())
  })
  const [read, { user, system }] = [performance.now(), process.cpuUsage(cpu)]
  const learned = learnPrices(deps, [], totals)
  console.log(
    `${name}: ${totals.lines} lines, ${(statSync(file).size / 2 ** 20).toFixed(0)} MiB, ` +
      `read in ${((read - started) / 1000).toFixed(1)} s (${((user + system) / 1e6).toFixed(1)} s of CPU), learnt in ${((performance.now() - read) / 1000).toFixed(1)} s, ` +
      `at most ${((peak - before) / 2 ** 20).toFixed(0)} MiB more; ` +
      `${learned.rules.map((rule) => `${rule.family ?? 'all'} ${rule.percent_off}%`).join(', ')}, ${learned.explained_percent}% explained`,
  )
}
rmSync(directory, { recursive: true })

/** 9% off everything, and another 15% off m7i. */
async function writeBill(file: string, isPacked: boolean): Promise<void> {
  const out = createWriteStream(file)
  const to = isPacked ? createGzip({ level: 1 }) : out
  if (to !== out) to.pipe(out)
  to.write(
    'BilledCost,BillingAccountId,BillingCurrency,ChargeCategory,ChargeDescription,ChargePeriodEnd,ChargePeriodStart,ContractedCost,EffectiveCost,ListCost,PricingCategory,PricingQuantity,PricingUnit,ProviderName,PublisherName,RegionId,ResourceId,ServiceCategory,ServiceName,SkuId,Tags\n',
  )
  for (let line = 0; line < lines; line++) {
    const [type, usd] = types[line % types.length]!
    const cost = usd * 0.91 * (type.startsWith('m7i.') ? 0.85 : 1)
    const hour = new Date(Date.UTC(2026, 9, 1, Math.floor((line * 720) / lines))).toISOString()
    const row = `${cost},123456789012,USD,Usage,$${usd} per On Demand Linux ${type} Instance Hour,${hour},${hour},${cost},${cost},${usd},Standard,1,Hours,AWS,AWS,us-east-1,arn:aws:ec2:us-east-1:123456789012:instance/i-${line.toString(16).padStart(17, '0')},Compute,Amazon Elastic Compute Cloud,SKU${line % 997},"{""team"":""payments"",""env"":""prod""}"\n`
    if (!to.write(row)) await new Promise((resolve) => to.once('drain', resolve))
  }
  to.end()
  await finished(out)
}
