import type { Term, UsageType } from '../../domain/offer.ts'
import { endlessPages, malformed } from '../fetching/http/failure.ts'
import {
  type ImportContext,
  type Importer,
  jsonWithSecret,
  listOf,
  memberOf,
  objectOf,
  textOf,
} from '../fetching/importer.ts'
import { type LivePrice, PriceSheet } from '../fetching/price-sheet.ts'
import { gcpFill } from './facts.ts'
import {
  billedCores,
  type ComposedPrice,
  compose,
  offeredTypes,
  type SizedType,
  seriesOf,
} from './live/compose.ts'
import { GcpRates } from './live/rates.ts'
import { type GcpUsage, readSku } from './live/sku.ts'
import { gcpProvider as provider } from './provider.ts'

const maxPages = 1_000

export const gcpImporter: Importer = {
  provider,
  currency: 'USD',
  endpoints: { billing: 'https://cloudbilling.googleapis.com' },
  needs: {
    credential: ['GOOGLE_API_KEY'],
    limits: 'pages of 5,000; 300 requests a minute and key',
    peculiarities: [
      'cores, GiB, GPUs and local disks have prices, machine types have none: a type costs what it is made of',
      'sizes of types, and where they are offered, come from the last good prices',
      'three sizes of every custom series stand for its rates',
      'Windows is the machine and a licence for each core; commitments do not cover the licence',
    ],
  },
  fill: gcpFill,
  async read(context) {
    const sheet = new PriceSheet()
    const rates = await readRates(context, sheet)
    for (const [type, regions] of offeredTypes(rates, context.lastGood))
      for (const region of regions)
        for (const usage of usages) addPrices(context, sheet, rates, type, region, usage)
    reportUnknownSeries(rates, context, sheet)
    return sheet
  },
}

async function readRates(context: ImportContext, sheet: PriceSheet): Promise<GcpRates> {
  const ask = jsonWithSecret(context, 'GOOGLE_API_KEY', 'an API key', (key) => ({ 'x-goog-api-key': key }))
  const rates = new GcpRates()
  const base = `${context.endpoint('billing')}/v1/services/6F81-5844-456A/skus?pageSize=5000`
  const tokens = new Set<string>()
  let token = ''
  do {
    const url = token === '' ? base : `${base}&pageToken=${encodeURIComponent(token)}`
    const answer = await ask(url)
    for (const value of listOf(memberOf(answer, 'skus', url))) {
      sheet.rows++
      const rate = readSku(value)
      if (typeof rate !== 'string') rates.add(rate)
      else if (rate !== '') sheet.drop(rate, textOf(objectOf(value).description))
    }
    token = textOf(objectOf(answer).nextPageToken)
    if (tokens.has(token) || tokens.size > maxPages) throw endlessPages(base)
    tokens.add(token)
    context.onProgress(`page ${tokens.size}`)
  } while (token !== '')
  if (rates.size === 0) throw malformed(base, 'lists no rate of a machine')
  return rates
}

const usages: readonly { of: GcpUsage; usageType: UsageType; term: Term }[] = [
  { of: 'ONDEMAND', usageType: 'ONDEMAND', term: '' },
  { of: 'SPOT', usageType: 'SPOT_PREEMPTIBLE', term: '' },
  { of: '1y', usageType: 'RESERVED', term: '1y' },
  { of: '3y', usageType: 'RESERVED', term: '3y' },
]

function addPrices(
  context: ImportContext,
  sheet: PriceSheet,
  rates: GcpRates,
  type: SizedType,
  region: string,
  usage: (typeof usages)[number],
): void {
  const linux = compose(rates, type, region, usage.of)
  if (typeof linux === 'string') {
    sheet.drop(linux, `${type.instanceType} ${region} ${usage.of}`)
    return
  }
  const price = ({ pricePerHourUsd, skuIds }: ComposedPrice): Omit<LivePrice, 'operatingSystem'> => ({
    region,
    zone: '',
    instanceType: type.instanceType,
    usageType: usage.usageType,
    term: usage.term,
    pricePerHourUsd,
    machine: type,
    monthlyCapUsd: null,
    // Custom cores and GiB cost more than those of predefined types, so they are a separate family.
    ...(/-custom-/.test(type.instanceType) && { family: seriesOf(type.instanceType) }),
    source: 'Google Cloud Billing Catalog',
    day: context.day,
    skuIds,
  })
  sheet.add({ ...price(linux), operatingSystem: 'Linux' })
  const windows = withLicence(rates, type, region, linux)
  if (windows !== undefined) sheet.add({ ...price(windows), operatingSystem: 'Windows' })
}

/** Undefined for Arm, on which Windows does not run there, and if no licence has a price. */
function withLicence(
  rates: GcpRates,
  { instanceType, vcpus, architecture }: SizedType,
  region: string,
  linux: ComposedPrice,
): ComposedPrice | undefined {
  if (architecture === 'arm64') return undefined
  const whole = rates.find(instanceType, 'licence-machine', 'ONDEMAND', region)
  const licence = whole ?? rates.find('windows', 'licence-core', 'ONDEMAND', region)
  if (licence === undefined) return undefined
  const cores = whole === undefined ? billedCores(instanceType, vcpus) : 1
  const sum = linux.pricePerHourUsd + licence.perHourUsd * cores
  return { pricePerHourUsd: Number(sum.toFixed(9)), skuIds: [...linux.skuIds, licence.skuId] }
}

function reportUnknownSeries(rates: GcpRates, { lastGood }: ImportContext, sheet: PriceSheet): void {
  const known = new Set([...lastGood.types.keys()].map((type) => type.split('-')[0]))
  const unknown = rates.series.filter((name) => !known.has(name.split('-')[0]!)).sort()
  for (const series of unknown) sheet.drop('series of which no machine type is known', series)
}
