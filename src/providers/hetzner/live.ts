import type { ExchangeRate } from '../../domain/manifest.ts'
import { endlessPages } from '../fetching/http/failure.ts'
import {
  amountOf,
  type Importer,
  isPrice,
  jsonWithSecret,
  listOf,
  memberOf,
  numberOf,
  objectOf,
  textOf,
} from '../fetching/importer.ts'
import { convert, type LivePrice, linuxOnDemand, PriceSheet } from '../fetching/price-sheet.ts'
import { hetznerProvider as provider } from './provider.ts'

const maxPages = 100

export const hetznerImporter: Importer = {
  provider,
  currency: 'EUR',
  endpoints: { api: 'https://api.hetzner.cloud' },
  needs: {
    credential: ['HCLOUD_TOKEN'],
    limits: 'pages of 50; 3,600 requests an hour',
    peculiarities: [
      'priced in the currency of the account, mostly euro, and converted at the reference rate of the day',
      'net prices, without the fee for an IPv4 address',
      'a month costs no more than its cap',
    ],
  },
  async read(context) {
    const { endpoint, exchange, day } = context
    const ask = jsonWithSecret(context, 'HCLOUD_TOKEN', 'a token that may read')
    const pricing = `${endpoint('api')}/v1/pricing`
    const currency = textOf(objectOf(memberOf(await ask(pricing), 'pricing', pricing)).currency)
    const rate = await exchange(currency)
    const sheet = new PriceSheet()
    for (let page: number | null = 1; page !== null; ) {
      const url: string = `${endpoint('api')}/v1/server_types?per_page=50&page=${page}`
      const answer = await ask(url)
      for (const type of listOf(memberOf(answer, 'server_types', url)))
        sheet.addEntry(readServerType(type, rate, day), textOf(objectOf(type).name))
      const next = objectOf(objectOf(objectOf(answer).meta).pagination).next_page
      if (typeof next === 'number' && (next <= page || next > maxPages)) throw endlessPages(url)
      page = typeof next === 'number' ? next : null
    }
    return sheet
  },
}

/** https://docs.hetzner.cloud/reference/cloud#server-types: memory in GB, which are GiB there. */
function readServerType(value: unknown, rate: ExchangeRate, day: string): LivePrice[] | string {
  const type = objectOf(value)
  const instanceType = textOf(type.name)
  if (instanceType === '') return 'without a name'
  const prices = listOf(type.prices).flatMap((entry): LivePrice[] => {
    const { location, price_hourly, price_monthly } = objectOf(entry)
    const hourly = convert(numberOf(objectOf(price_hourly).net), rate)
    const monthly = convert(numberOf(objectOf(price_monthly).net), rate)
    if (!isPrice(hourly) || textOf(location) === '') return []
    return [
      {
        ...linuxOnDemand,
        region: textOf(location),
        instanceType,
        pricePerHourUsd: hourly,
        machine: {
          vcpus: amountOf(type.cores),
          ramGib: amountOf(type.memory),
          architecture: type.architecture === 'arm' ? 'arm64' : type.architecture === 'x86' ? 'x86_64' : '',
          gpuCount: 0,
          gpuName: '',
        },
        monthlyCapUsd: isPrice(monthly) ? monthly : null,
        source: 'Hetzner Cloud API, net',
        day,
        skuIds: [String(type.id ?? '')].filter((id) => id !== ''),
      },
    ]
  })
  return prices.length === 0 ? 'without a price' : prices
}
