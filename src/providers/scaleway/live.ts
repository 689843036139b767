import type { ExchangeRate } from '../../domain/manifest.ts'
import { endlessPages, malformed } from '../fetching/http/failure.ts'
import {
  amountOf,
  type Importer,
  isPrice,
  memberOf,
  numberOf,
  objectOf,
  textOf,
} from '../fetching/importer.ts'
import { convert, type LivePrice, linuxOnDemand, PriceSheet } from '../fetching/price-sheet.ts'
import { scalewayProvider as provider, scalewayRegionOf, scalewaySystemOf } from './provider.ts'

/** https://www.scaleway.com/en/developers/api/instances/; no address lists them without a key. */
const zones = [
  ...['fr-par-1', 'fr-par-2', 'fr-par-3', 'it-mil-1'],
  ...['nl-ams-1', 'nl-ams-2', 'nl-ams-3', 'pl-waw-1', 'pl-waw-2', 'pl-waw-3'],
]

/** The largest page that the API allows. */
const pageItems = 100
const maxPages = 100

export const scalewayImporter: Importer = {
  provider,
  currency: 'EUR',
  endpoints: { api: 'https://api.scaleway.com' },
  needs: {
    credential: [],
    limits: 'pages of 100, one or two for each of ten zones',
    peculiarities: [
      'priced in euro, without tax, and converted at the reference rate of the day',
      'tried against answers written from the public API documentation only',
      'types at the end of their service and bare metal are left out',
    ],
  },
  async read({ sources, endpoint, exchange, day }) {
    const rate = await exchange('EUR')
    const sheet = new PriceSheet()
    for (const zone of zones) {
      const list = `${endpoint('api')}/instance/v1/zones/${zone}/products/servers`
      for (let page = 1, more = true; more; page++) {
        if (page > maxPages) throw endlessPages(list)
        const url = `${list}?per_page=${pageItems}&page=${page}`
        const types = Object.entries(objectOf(memberOf(await sources.json({ url }), 'servers', url)))
        for (const [name, type] of types) sheet.addEntry(readType(zone, name, type, rate, day), name)
        more = types.length >= pageItems
      }
    }
    if (sheet.prices.length === 0) throw malformed(endpoint('api'), 'lists no price of an instance')
    return sheet
  },
}

/** Prices are in euro an hour, memory is in bytes. */
function readType(zone: string, instanceType: string, value: unknown, rate: ExchangeRate, day: string) {
  const type = objectOf(value)
  const pricePerHourUsd = convert(numberOf(type.hourly_price), rate)
  if (type.baremetal === true) return 'bare metal'
  if (type.end_of_service === true) return 'at the end of its service'
  if (!isPrice(pricePerHourUsd)) return 'price is not a positive number'
  const { gpu_manufacturer, gpu_name } = objectOf(type.gpu_info)
  const price: LivePrice = {
    ...linuxOnDemand,
    region: scalewayRegionOf(zone),
    zone,
    instanceType,
    operatingSystem: scalewaySystemOf(instanceType),
    pricePerHourUsd,
    machine: {
      vcpus: amountOf(type.ncpus),
      ramGib: amountOf(numberOf(type.ram) / 2 ** 30),
      architecture: type.arch === 'x86_64' || type.arch === 'arm64' ? type.arch : '',
      gpuCount: amountOf(type.gpu) ?? 0,
      gpuName: `${textOf(gpu_manufacturer)} ${textOf(gpu_name)}`.trim(),
    },
    source: 'Scaleway Instance API',
    day,
  }
  return [price]
}
