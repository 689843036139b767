import type { ExchangeRate } from '../../../domain/manifest.ts'
import { isPrice, listOf, numberOf, objectOf, textOf } from '../importer.ts'
import { convert, type LivePrice } from '../price-sheet.ts'

/** https://docs.hetzner.cloud/reference/cloud#server-types: memory in GB, which are GiB there. */
export function readServerType(value: unknown, rate: ExchangeRate, day: string): LivePrice[] | string {
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
        region: textOf(location),
        zone: '',
        instanceType,
        operatingSystem: 'Linux',
        usageType: 'ONDEMAND',
        term: '',
        pricePerHourUsd: hourly,
        machine: {
          vcpus: positive(numberOf(type.cores)),
          ramGib: positive(numberOf(type.memory)),
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

const positive = (amount: number): number | null => (Number.isFinite(amount) && amount > 0 ? amount : null)
