import type { ExchangeRate } from '../../domain/manifest.ts'
import { malformed } from '../fetching/http/failure.ts'
import {
  amountOf,
  type Importer,
  isPrice,
  listOf,
  memberOf,
  numberOf,
  objectOf,
  textOf,
  type Unknown,
} from '../fetching/importer.ts'
import { convert, type LivePrice, linuxOnDemand, PriceSheet } from '../fetching/price-sheet.ts'
import type { MachineType } from '../machine.ts'
import { ovhcloudProvider as provider } from './provider.ts'

export const ovhcloudImporter: Importer = {
  provider,
  currency: 'EUR',
  endpoints: { api: 'https://eu.api.ovh.com' },
  needs: {
    credential: [],
    limits: 'one document of some megabytes',
    peculiarities: [
      'priced in euro, in hundred-millionths, and converted at the reference rate of the day',
      'regions stand at any of the plans of a flavour (by the hour, by the month), and hold for all of them',
      'local zones and regions of three zones have plans of their own and are left out',
    ],
  },
  async read({ sources, endpoint, exchange, lastGood, day }) {
    const url = `${endpoint('api')}/v1/order/catalog/public/cloud?ovhSubsidiary=DE`
    const catalogue = await sources.json({ url })
    const currency = textOf(objectOf(memberOf(catalogue, 'locale', url)).currencyCode)
    const rate = await exchange(currency)
    const sheet = new PriceSheet()
    const groups = groupAddons(listOf(memberOf(catalogue, 'addons', url)))
    if (groups.size === 0) throw malformed(url, 'lists no instance')
    for (const [name, addons] of groups) {
      sheet.rows += addons.length
      const prices = readFlavour(name, addons, rate, lastGood.regionsOf(name), day)
      if (typeof prices === 'string') sheet.drop(prices, name)
      else for (const price of prices) sheet.add(price)
    }
    return sheet
  },
}

/**
 * Plans by flavour: b3-8.consumption, b3-8.monthly.postpaid and, for Windows, win-b3-8.consumption.
 * Left out: those of local zones (.LZ, .LZ.EU) and of regions of three zones (.3AZ), which have prices of their own.
 */
function groupAddons(addons: readonly unknown[]): Map<string, Unknown[]> {
  const groups = new Map<string, Unknown[]>()
  for (const addon of addons.map(objectOf)) {
    const [, name, kind] =
      /^([a-z0-9-]+)\.(consumption|monthly(?:\.postpaid)?)$/.exec(textOf(addon.planCode)) ?? []
    if (name === undefined || kind === undefined || !isInstance(addon)) continue
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [addon])
    else group.push(addon)
  }
  return groups
}

const isInstance = (addon: Unknown): boolean => /instance/.test(textOf(addon.product))

/** Returns the prices of one flavour in every region that any of its plans names, else in those where it was before. */
function readFlavour(
  name: string,
  addons: readonly Unknown[],
  rate: ExchangeRate,
  knownRegions: ReadonlySet<string>,
  day: string,
): LivePrice[] | string {
  const hourly = addons.map(hourlyPrice).find(isPrice)
  if (hourly === undefined) return 'without a price by the hour'
  const windows = name.startsWith('win-')
  const listed = addons.flatMap((addon) =>
    listOf(addon.configurations)
      .map(objectOf)
      .filter((configuration) => textOf(configuration.name) === 'region')
      .flatMap((configuration) => listOf(configuration.values).map(textOf)),
  )
  const regions = listed.length > 0 ? new Set(listed) : knownRegions
  if (regions.size === 0) return 'in no region'
  return [...regions].sort().map((region) => ({
    ...linuxOnDemand,
    region,
    instanceType: windows ? name.slice('win-'.length) : name,
    operatingSystem: windows ? 'Windows' : 'Linux',
    pricePerHourUsd: convert(hourly, rate),
    machine: machineOf(addons),
    source: 'OVHcloud public catalogue',
    day,
    skuIds: [textOf(addons[0]!.planCode)],
  }))
}

const unitsPerEuro = 1e8

/** Returns the price of consumption by the hour; NaN if the plan has none. */
function hourlyPrice(addon: Unknown): number {
  if (!textOf(addon.planCode).endsWith('.consumption')) return Number.NaN
  const pricing = listOf(addon.pricings)
    .map(objectOf)
    .find((one) => textOf(one.intervalUnit) === 'hour' || listOf(one.capacities).includes('consumption'))
  return numberOf(pricing?.price) / unitsPerEuro
}

/** blobs.technical: {cpu: {cores}, memory: {size}, gpu: {number, model}}. */
function machineOf(addons: readonly Unknown[]): MachineType | null {
  const technical = addons
    .map((addon) => objectOf(objectOf(addon.blobs).technical))
    .find((one) => one.cpu !== undefined)
  if (technical === undefined) return null
  const gpu = objectOf(technical.gpu)
  const model = textOf(gpu.model)
  return {
    vcpus: amountOf(objectOf(technical.cpu).cores),
    ramGib: amountOf(objectOf(technical.memory).size),
    architecture: 'x86_64', // no flavour is anything else: https://www.ovhcloud.com/en/public-cloud/prices/
    gpuCount: technical.gpu === undefined ? 0 : amountOf(gpu.number),
    gpuName: model === '' ? '' : `NVIDIA ${model.replace(/^(nvidia|tesla)\s+/i, '')}`,
  }
}
