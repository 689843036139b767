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
import { type LivePrice, linuxOnDemand, PriceSheet } from '../fetching/price-sheet.ts'
import { digitaloceanProvider as provider } from './provider.ts'

const maxPages = 100

export const digitaloceanImporter: Importer = {
  provider,
  currency: 'USD',
  endpoints: { api: 'https://api.digitalocean.com' },
  needs: {
    credential: ['DIGITALOCEAN_TOKEN'],
    limits: 'pages of 200; 5,000 requests an hour',
    peculiarities: ['one price in all regions that have a size', 'a month costs no more than its cap'],
  },
  async read(context) {
    const ask = jsonWithSecret(context, 'DIGITALOCEAN_TOKEN', 'a token that may read sizes')
    const sheet = new PriceSheet()
    for (let page = 1, more = true; more; page++) {
      const url = `${context.endpoint('api')}/v2/sizes?per_page=200&page=${page}`
      const answer = await ask(url)
      for (const size of listOf(memberOf(answer, 'sizes', url)))
        sheet.addEntry(readSize(size, context.day), textOf(objectOf(size).slug))
      more = textOf(objectOf(objectOf(objectOf(answer).links).pages).next) !== ''
      if (page > maxPages) throw endlessPages(url)
    }
    return sheet
  },
}

/** https://docs.digitalocean.com/reference/api/reference/sizes/: memory in MiB. */
function readSize(value: unknown, day: string): LivePrice[] | string {
  const size = objectOf(value)
  const instanceType = textOf(size.slug)
  const pricePerHourUsd = numberOf(size.price_hourly)
  const cap = numberOf(size.price_monthly)
  if (instanceType === '') return 'without a name'
  if (size.available === false) return 'not to be had any more'
  if (!isPrice(pricePerHourUsd)) return 'price is not a positive number'
  const regions = listOf(size.regions)
    .map(textOf)
    .filter((region) => region !== '')
  if (regions.length === 0) return 'in no region'
  const gpu = objectOf(size.gpu_info)
  const gpuCount = numberOf(gpu.count)
  return regions.map((region) => ({
    ...linuxOnDemand,
    region,
    instanceType,
    pricePerHourUsd,
    machine: {
      vcpus: amountOf(size.vcpus),
      ramGib: amountOf(numberOf(size.memory) / 1024),
      architecture: 'x86_64', // all droplets are: https://docs.digitalocean.com/products/droplets/concepts/choosing-a-plan/
      gpuCount: Number.isFinite(gpuCount) ? gpuCount : 0,
      gpuName: textOf(gpu.model).replaceAll('_', ' ').toUpperCase(),
    },
    monthlyCapUsd: isPrice(cap) ? cap : null,
    source: 'DigitalOcean API',
    day,
  }))
}
