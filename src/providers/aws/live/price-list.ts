import type { Architecture, OperatingSystem } from '../../../domain/offer.ts'
import { malformed } from '../../fetching/http/failure.ts'
import type { notModified, Sources } from '../../fetching/http/sources.ts'
import { amountOf, type ImportContext, listOf, memberOf, objectOf, textOf } from '../../fetching/importer.ts'
import type { Path, SkimAction } from '../../fetching/json/skim.ts'
import type { LivePrice, PriceSheet } from '../../fetching/price-sheet.ts'
import type { MachineType } from '../../machine.ts'
import { PriceListPass, readInPasses } from './passes.ts'
import { type AwsRate, onDemandRate, reservedRates } from './terms.ts'

/** The largest region's file was near 500 MB when this was written. */
const maxBytes = 4 * 1024 ** 3

export function readPriceList(
  sources: Sources,
  url: string,
  region: string,
): Promise<PriceSheet | typeof notModified> {
  return readInPasses<AwsProduct>(sources, { url, maxBytes }, (before) => new PriceFilePass(region, before))
}

/** Collects products, then only their terms. Nothing else in the file is parsed. */
class PriceFilePass extends PriceListPass<AwsProduct> {
  action(path: Path): SkimAction {
    const [section, kind] = path
    if (path.length === 0) return 'enter'
    if (path.length === 1) {
      if (section === 'publicationDate') return 'take'
      if (section === 'products') return this.isSecond ? 'skip' : 'enter'
      if (section !== 'terms') return 'skip'
      this.tooEarly = !this.isSecond && (this.sheet.rows === 0 || this.day === undefined)
      return this.tooEarly ? 'skip' : 'enter'
    }
    if (section === 'products') return 'take'
    if (path.length === 2) return kind === 'OnDemand' || kind === 'Reserved' ? 'enter' : 'skip'
    return this.products.has(path[2] as string) ? 'take' : 'skip'
  }

  worth(bytes: Buffer, [section]: Path): boolean {
    if (section !== 'products') return true
    this.sheet.rows++
    return maybeProduct(bytes)
  }

  take(path: Path, value: unknown): void {
    if (path[0] === 'publicationDate') this.day = /^\d{4}-\d\d-\d\d/.exec(textOf(value))?.[0] ?? ''
    else if (path[0] === 'products') this.#product(path[1] as string, value)
    else {
      const product = this.products.get(path[2] as string)!
      const rates = path[1] === 'OnDemand' ? [onDemandRate(value)] : reservedRates(value)
      for (const rate of rates)
        if (rate !== undefined) this.sheet.add(priceOf(this.region, product, rate, this.day ?? ''))
    }
  }

  #product(sku: string, value: unknown): void {
    const product = readProduct(sku, value, this.region)
    if (typeof product !== 'string') this.products.set(sku, product)
    else if (product !== '') this.sheet.drop(product, `${this.region} ${sku}`)
  }
}

function priceOf(region: string, product: AwsProduct, rate: AwsRate, day: string): LivePrice {
  const reserved = rate.term !== ''
  return {
    region,
    zone: '',
    instanceType: product.instanceType,
    operatingSystem: product.operatingSystem,
    usageType: reserved ? 'RESERVED' : 'ONDEMAND',
    term: rate.term,
    pricePerHourUsd: rate.pricePerHourUsd,
    machine: product.machine,
    monthlyCapUsd: null,
    source: reserved ? `AWS Price List, reserved, ${rate.payment}` : 'AWS Price List',
    day,
    skuIds: rate.rateCode === '' ? [product.sku] : [product.sku, rate.rateCode],
  }
}

/** A product of the price list that is imported: shared hardware, Linux or Windows, nothing pre-installed. */
interface AwsProduct {
  readonly sku: string
  readonly instanceType: string
  readonly operatingSystem: OperatingSystem
  readonly machine: MachineType
}

/** Returns the product, or the reason why it is left out; '' if it is not a machine at all. */
function readProduct(sku: string, value: unknown, region: string): AwsProduct | string {
  const product = objectOf(value)
  if (!/^Compute Instance/.test(textOf(product.productFamily))) return ''
  const a = objectOf(product.attributes)
  const operatingSystem = systems.get(textOf(a.operatingSystem))
  if (operatingSystem === undefined) return 'operating system with a licence of its own'
  if (textOf(a.tenancy) !== 'Shared') return 'not of shared tenancy'
  if (textOf(a.preInstalledSw) !== 'NA') return 'with software pre-installed'
  if (textOf(a.capacitystatus) !== 'Used') return 'capacity that is reserved but not used'
  if (/bring your own/i.test(textOf(a.licenseModel))) return 'with a licence to be brought along'
  if (!['', 'OnDemand'].includes(textOf(a.marketoption))) return 'of another market'
  if (!['', region].includes(textOf(a.regionCode)) || textOf(a.locationType) !== 'AWS Region')
    return 'in a local or wavelength zone'
  const instanceType = textOf(a.instanceType)
  if (!/^[a-z][a-z0-9-]*\.[a-z0-9-]+$/.test(instanceType)) return 'without an instance type'
  return { sku, instanceType, operatingSystem, machine: machineOf(a) }
}

/** Whether the bytes may contain such a product. If not, they need not be parsed. */
const maybeProduct = (bytes: Buffer): boolean =>
  bytes.includes('"Shared"') && bytes.includes('"Compute Instance') && bytes.includes('"Used"')

const systems = new Map<string, OperatingSystem>([
  ['Linux', 'Linux'],
  ['Windows', 'Windows'],
])

function machineOf(a: Readonly<Record<string, unknown>>): MachineType {
  return {
    vcpus: amountOf(a.vcpu),
    ramGib: gib(textOf(a.memory)),
    architecture: architectureOf(textOf(a.physicalProcessor)),
    gpuCount: a.gpu === undefined ? null : amountOf(a.gpu),
    gpuName: '',
  }
}

/** "16 GiB", "1,952 GiB", "0.5 GiB"; "NA" for hosts. */
function gib(text: string): number | null {
  const match = /^([\d,.]+) GiB$/.exec(text)
  return match === null ? null : amountOf(match[1]!.replaceAll(',', ''))
}

function architectureOf(processor: string): Architecture {
  if (/graviton/i.test(processor)) return 'arm64'
  return /intel|amd|xeon|epyc/i.test(processor) ? 'x86_64' : ''
}

interface AwsRegions {
  /** Addresses by region. */
  readonly lists: ReadonlyMap<string, string>
  readonly plans: ReadonlyMap<string, string>
}

/** Reads two indexes that differ only in their shape: an object of regions for lists, an array for plans. */
export async function readRegions({ sources, endpoint }: ImportContext): Promise<AwsRegions> {
  const base = endpoint('prices')
  const listIndex = `${base}/offers/v1.0/aws/AmazonEC2/current/region_index.json`
  const planIndex = `${base}/savingsPlan/v1.0/aws/AWSComputeSavingsPlan/current/region_index.json`
  const lists = new Map<string, string>()
  const regions = objectOf(memberOf(await sources.json({ url: listIndex }), 'regions', listIndex))
  for (const [region, entry] of Object.entries(regions).sort(([a], [b]) => (a < b ? -1 : 1))) {
    // An address without the version stays the same from day to day, which a conditional request needs.
    if (isRegion(region) && textOf(objectOf(entry).currentVersionUrl) !== '')
      lists.set(region, `${base}/offers/v1.0/aws/AmazonEC2/current/${region}/index.json`)
  }
  if (lists.size === 0) throw malformed(listIndex, 'names no region')
  const plans = new Map<string, string>()
  for (const entry of listOf(memberOf(await sources.json({ url: planIndex }), 'regions', planIndex))) {
    const { regionCode, versionUrl } = objectOf(entry)
    const region = textOf(regionCode)
    if (lists.has(region) && textOf(versionUrl).startsWith('/')) plans.set(region, base + textOf(versionUrl))
  }
  return { lists, plans: new Map([...plans].sort(([a], [b]) => (a < b ? -1 : 1))) }
}

/** us-east-1, us-gov-west-1; not us-west-2-lax-1 (a local zone) nor us-east-1-wl1 (a wavelength zone). */
const isRegion = (name: string): boolean => /^[a-z]{2}(-[a-z]+){1,2}-\d$/.test(name) && !isLocalZone(name)

const isLocalZone = (name: string): boolean => /-\d-/.test(name)
