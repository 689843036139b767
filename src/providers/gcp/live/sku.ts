import { isPrice, listOf, numberOf, objectOf, textOf } from '../../fetching/importer.ts'

export type GcpUsage = 'ONDEMAND' | 'SPOT' | '1y' | '3y'

/** What an SKU prices, and in which regions. */
export interface GcpRate {
  /** n2, n2-custom, m4-ultramem-224, ...; for a GPU its name; 'windows' for a licence. */
  readonly of: string
  /** machine: a whole machine, per hour. */
  readonly resource: 'core' | 'gib' | 'gpu' | 'disk-gib' | 'machine' | 'licence-core' | 'licence-machine'
  readonly usage: GcpUsage
  readonly regions: readonly string[]
  readonly perHourUsd: number
  readonly skuId: string
  /** Among equal rates the one with the highest order applies; for a licence this is its year. */
  readonly order: number
}

/** Returns the rate, or the reason why the SKU is left out; '' if it does not belong to a machine. */
export function readSku(value: unknown): GcpRate | string {
  const sku = objectOf(value)
  const category = objectOf(sku.category)
  const description = textOf(sku.description).trim()
  const family = textOf(category.resourceFamily)
  if (family !== 'Compute' && family !== 'License' && textOf(category.resourceGroup) !== 'LocalSSD') return ''
  const usage = usages.get(textOf(category.usageType))
  if (usage === undefined) return 'usage type that is not compared'
  if (leftOut.test(description)) return 'sole tenancy, reservations, extended memory and the like'
  const what =
    family === 'License' ? licence(description) : machinePart(description, textOf(category.resourceGroup))
  if (what === undefined) return ''
  const rate = rateOf(sku.pricingInfo)
  if (rate === undefined) return 'price is not a positive number of US dollars an hour'
  const regions = listOf(sku.serviceRegions)
    .map(textOf)
    .filter((region) => region !== '')
  return { order: 0, ...what, usage, regions, perHourUsd: rate, skuId: textOf(sku.skuId) }
}

const usages = new Map<string, GcpUsage>([
  ['OnDemand', 'ONDEMAND'],
  ['Preemptible', 'SPOT'],
  ['Commit1Yr', '1y'],
  ['Commit3Yr', '3y'],
])

const leftOut =
  /sole tenancy|^reserved\b|\bextended\b|dollar based|overcommit|\bdws\b|calendar mode|flex[- ]start|confidential|suspended|network/i

type Part = Pick<GcpRate, 'of' | 'resource'> & { readonly order?: number }

/** As https://cloud.google.com/skus lists it: "Spot Preemptible N2D AMD Custom Instance Core running in Zurich". */
function machinePart(description: string, group: string): Part | undefined {
  const text = description
    .replace(/^(Spot )?Preemptible /, '')
    .replace(/^Commitment( v\d)?: /, '')
    .replace(/( attached to Spot Preemptible VMs)?( running)? in .*$| for [13] Years?.*$/i, '')
  if (/^Micro Instance with burstable CPU/.test(text)) return { of: 'f1-micro', resource: 'machine' }
  if (/^Small Instance with 1 VCPU/.test(text)) return { of: 'g1-small', resource: 'machine' }
  if (group === 'GPU') return gpu(text)
  if (group === 'LocalSSD')
    return { of: /^([A-Z]\d\w*) /.exec(text)?.[1]?.toLowerCase() ?? '', resource: 'disk-gib' }
  const match = /^(?:(.*?) )?(?:Instance )?(Core|Cpu|Ram)$/i.exec(text)
  if (match === null) return undefined
  const series = seriesOf(match[1] ?? '')
  if (series === undefined) return undefined
  return { of: series, resource: match[2]!.toLowerCase() === 'ram' ? 'gib' : 'core' }
}

/** The text before "Instance Core". Commitments for n1 name no series, and custom types have those of their series. */
function seriesOf(words: string): string | undefined {
  if (words === '' || words === 'N1 Predefined') return 'n1'
  if (words === 'Custom') return 'n1-custom'
  if (words === 'Compute optimized') return 'c2'
  if (words === 'Memory-optimized') return 'm1'
  if (/^Memory Optimized Upgrade Premium for Memory-optimized$/.test(words)) return 'm2-premium'
  if (words === 'M4Ultramem224') return 'm4-ultramem-224'
  const match = /^([A-Z]\d[A-Z]?)(?: AMD| Arm| Memory-optimized)?( Custom)?$/.exec(words)
  return match === null ? undefined : match[1]!.toLowerCase() + (match[2] === undefined ? '' : '-custom')
}

function gpu(text: string): Part | undefined {
  const name = text.replace(/^nvidia (tesla )?/i, '').replace(/ gpu$/i, '')
  const known = gpuNames.get(name.toLowerCase())
  return known === undefined ? undefined : { of: known, resource: 'gpu' }
}

const gpuNames = new Map([
  ['a100', 'NVIDIA A100 40GB'],
  ['a100 80gb', 'NVIDIA A100 80GB'],
  ['h100 80gb', 'NVIDIA H100 80GB'],
  ['h100 80gb mega', 'NVIDIA H100 80GB Mega'],
  ['l4', 'NVIDIA L4'],
  ['rtx 6000 96gb', 'NVIDIA RTX PRO 6000'],
])

/** "Licensing Fee for Windows Server 2022 Datacenter Edition (CPU cost)", "... on f1-micro". The newest year counts. */
function licence(description: string): Part | undefined {
  const match =
    /^Licensing Fee for Windows Server (\d{4})(?: R2)? Datacenter Edition (\(CPU cost\)|on VM|on (f1-micro|g1-small))$/.exec(
      description,
    )
  if (match === null) return undefined
  const order = Number(match[1])
  return match[3] === undefined
    ? { of: 'windows', resource: 'licence-core', order }
    : { of: match[3], resource: 'licence-machine', order }
}

const hoursPerMonth = 730

/** Returns the last tier of the newest price, per hour. A monthly price is spread over its hours. */
function rateOf(pricingInfo: unknown): number | undefined {
  const { usageUnit, tieredRates } = objectOf(objectOf(listOf(pricingInfo).at(-1)).pricingExpression)
  const price = objectOf(objectOf(listOf(tieredRates).at(-1)).unitPrice)
  if (textOf(price.currencyCode) !== 'USD') return undefined
  const usd = (price.units === undefined ? 0 : numberOf(price.units)) + numberOf(price.nanos ?? 0) / 1e9
  const unit = textOf(usageUnit)
  const perHour =
    unit === 'h' || unit === 'GiBy.h' ? usd : unit === 'GiBy.mo' ? usd / hoursPerMonth : Number.NaN
  return isPrice(perHour) ? perHour : undefined
}
