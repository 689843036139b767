import { isPrice, listOf, numberOf, objectOf, textOf } from '../importer.ts'
import type { LivePrice } from '../price-sheet.ts'

/** https://docs.digitalocean.com/reference/api/reference/sizes/: memory in MiB. */
export function readSize(value: unknown, day: string): LivePrice[] | string {
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
    region,
    zone: '',
    instanceType,
    operatingSystem: 'Linux',
    usageType: 'ONDEMAND',
    term: '',
    pricePerHourUsd,
    machine: {
      vcpus: positive(numberOf(size.vcpus)),
      ramGib: positive(numberOf(size.memory) / 1024),
      architecture: 'x86_64', // all droplets are: https://docs.digitalocean.com/products/droplets/concepts/choosing-a-plan/
      gpuCount: Number.isFinite(gpuCount) ? gpuCount : 0,
      gpuName: textOf(gpu.model).replaceAll('_', ' ').toUpperCase(),
    },
    monthlyCapUsd: isPrice(cap) ? cap : null,
    source: 'DigitalOcean API',
    day,
    skuIds: [],
  }))
}

const positive = (value: number): number | null => (Number.isFinite(value) && value > 0 ? value : null)
