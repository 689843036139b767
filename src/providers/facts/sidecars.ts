import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExchangeRate } from '../../domain/manifest.ts'
import { parseOperatingSystem, parseUsageType } from '../../domain/names.ts'
import type { OperatingSystem, UsageType } from '../../domain/offer.ts'
import { FactsError, readCsvTable } from './table.ts'

/** What is listed in addition to the prices. Regions are those of the price rows, before "global" is expanded. */
export interface Sidecars {
  readonly exchange: ExchangeRate
  monthlyCapUsd(provider: string, region: string, instanceType: string): number | null
  skuIds(price: PriceKey): readonly string[] | undefined
  currencyOf(provider: string): string
}

interface PriceKey {
  readonly provider: string
  readonly region: string
  readonly instanceType: string
  readonly operatingSystem: OperatingSystem
  readonly usageType: UsageType
  readonly term: string
  readonly pricePerHourUsd: number
}

export async function readSidecars(directory: string): Promise<Sidecars> {
  const caps = await readCaps(directory)
  const skus = await readSkus(directory)
  const currencies = await readCurrencies(directory)
  return {
    exchange: await readExchange(directory),
    monthlyCapUsd: (provider, region, type) => caps.get(provider)?.get(`${region}\n${type}`) ?? null,
    skuIds: (price) => bestSku(skus.get(price.provider)?.get(skuKey(price)), price),
    currencyOf: (provider) => currencies.get(provider) ?? 'USD',
  }
}

async function readCaps(directory: string): Promise<Map<string, Map<string, number>>> {
  const caps = new Map<string, Map<string, number>>()
  const columns = ['provider', 'region', 'instance_type', 'monthly_cap_usd']
  await readCsvTable(
    directory,
    'sidecar-monthly_caps',
    columns,
    ([provider = '', region, type, cap = '']) => {
      const usd = Number(cap)
      if (cap !== '' && Number.isFinite(usd) && usd > 0) mapOf(caps, provider).set(`${region}\n${type}`, usd)
    },
  )
  return caps
}

interface Sku {
  readonly ids: readonly string[]
  /** The provider's name of the machine, folded. */
  readonly name: string
  readonly priceUsd: number
}

const skuColumns = [
  'provider',
  'region',
  'instance_type',
  'operating_system',
  'usage_type',
  'term',
  'sku_id',
  'rate_or_meter_id',
  'family_or_product',
  'network_or_meter_name',
  'storage_or_sku_name',
  'price_usd',
]

async function readSkus(directory: string): Promise<Map<string, Map<string, Sku[]>>> {
  const skus = new Map<string, Map<string, Sku[]>>()
  await readCsvTable(directory, 'sidecar-raw_skus', skuColumns, (fields) => {
    const [
      provider = '',
      region = '',
      instanceType = '',
      os = '',
      usage = '',
      term = '',
      sku = '',
      rate = '',
    ] = fields
    const operatingSystem = parseOperatingSystem(os)
    const usageType = parseUsageType(usage)
    if (operatingSystem === undefined || usageType === undefined || sku === '') return
    const key = skuKey({ region, instanceType, operatingSystem, usageType, term })
    const entry = {
      ids: rate === '' ? [sku] : [sku, rate],
      name: fold(fields[10] ?? ''),
      priceUsd: Number(fields[11]),
    }
    const others = mapOf(skus, provider).get(key)
    if (others === undefined) mapOf(skus, provider).set(key, [entry])
    else others.push(entry)
  })
  return skus
}

const skuKey = (key: Omit<PriceKey, 'provider' | 'pricePerHourUsd'>): string =>
  `${key.instanceType}
${key.region}
${key.operatingSystem}
${key.usageType}
${key.term}`

function mapOf<T>(maps: Map<string, Map<string, T>>, provider: string): Map<string, T> {
  const map = maps.get(provider) ?? new Map<string, T>()
  maps.set(provider, map)
  return map
}

/** Several products can have one type: the one with the same price is preferred, then the one that is named like the type. */
function bestSku(skus: readonly Sku[] | undefined, price: PriceKey): readonly string[] | undefined {
  if (skus === undefined || skus.length === 0) return undefined
  const type = fold(price.instanceType)
  const rank = (sku: Sku): number =>
    (Math.abs(sku.priceUsd - price.pricePerHourUsd) <= price.pricePerHourUsd * 1e-6 ? 2 : 0) +
    (sku.name !== '' && type.endsWith(sku.name) ? 1 : 0)
  return skus.reduce((best, sku) => (rank(sku) > rank(best) ? sku : best)).ids
}

/** Folded, "D16as v4 Spot" and "Standard_D16as_v4" end in the same text. */
const fold = (name: string): string =>
  name
    .toLowerCase()
    .replace(/ spot$/, '')
    .replace(/[\s_]+/g, '')

async function readCurrencies(directory: string): Promise<Map<string, string>> {
  const currencies = new Map<string, string>()
  const columns = [
    'provider',
    'region',
    'availability_zone',
    'instance_type',
    'operating_system',
    'currency',
    'price_per_hour',
  ]
  await readCsvTable(
    directory,
    'sidecar-native_currency_prices',
    columns,
    ([provider = '', , , , , currency = '']) => {
      if (currency !== '') currencies.set(provider, currency)
    },
  )
  return currencies
}

async function readExchange(directory: string): Promise<ExchangeRate> {
  const file = join(directory, 'fx.json')
  let fx: Record<string, unknown>
  try {
    fx = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
  } catch (error) {
    throw new FactsError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  const { EUR_USD: rate, date: day, source } = fx ?? {}
  if (typeof rate !== 'number' || !(rate > 0) || typeof day !== 'string' || typeof source !== 'string')
    throw new FactsError(`${file} lacks EUR_USD, date or source`)
  return { from: 'EUR', to: 'USD', rate, day, source }
}
