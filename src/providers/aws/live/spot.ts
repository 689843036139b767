import type { OperatingSystem } from '../../../domain/offer.ts'
import { addressWithoutQuery, endlessPages, ImportFailure, malformed } from '../../fetching/http/failure.ts'
import type { SourceRequest, Sources } from '../../fetching/http/sources.ts'
import { isPrice, numberOf } from '../../fetching/importer.ts'
import { type LivePrice, PriceSheet } from '../../fetching/price-sheet.ts'
import { type AwsCredential, signedHeaders } from './sigv4.ts'

const maxPages = 2_000

interface SpotQuery {
  readonly region: string
  readonly url: string
  readonly credential: AwsCredential
  now(): number
}

/** Reads the current spot prices of one region, by zone id, because zone names mean different zones in each account. */
export async function readSpotPrices(sources: Sources, query: SpotQuery): Promise<PriceSheet> {
  const zones = await readZones(sources, query)
  const at = new Date(query.now()).toISOString().replace(/\.\d{3}/, '')
  const found = new Map<string, LivePrice & { readonly at: string }>()
  const sheet = new PriceSheet()
  const tokens = new Set<string>()
  let token = ''
  do {
    const answer = await ask(sources, query, 'DescribeSpotPriceHistory', {
      StartTime: at,
      'ProductDescription.1': 'Linux/UNIX',
      'ProductDescription.2': 'Windows',
      MaxResults: '1000',
      ...(token === '' ? {} : { NextToken: token }),
    })
    const set = elementsOf(answer, 'spotPriceHistorySet')[0] ?? ''
    for (const item of elementsOf(set, 'item')) {
      sheet.rows++
      const price = priceOf(item, query.region, zones)
      if (typeof price === 'string') sheet.drop(price, item)
      else {
        const key = `${price.instanceType}\n${price.operatingSystem}\n${price.zone}`
        const other = found.get(key)
        if (other === undefined || price.at > other.at) found.set(key, price)
      }
    }
    token = elementText(answer.slice(answer.lastIndexOf('</spotPriceHistorySet>')), 'nextToken')
    if (tokens.has(token) || tokens.size > maxPages) throw endlessPages(query.url)
    tokens.add(token)
  } while (token !== '')
  for (const [, { at: _, ...price }] of [...found].sort(([a], [b]) => (a < b ? -1 : 1))) sheet.add(price)
  for (const zone of zones.values()) sheet.zones.push({ region: query.region, zone })
  return sheet
}

async function readZones(sources: Sources, query: SpotQuery): Promise<Map<string, string>> {
  const answer = await ask(sources, query, 'DescribeAvailabilityZones', {})
  const items = elementsOf(elementsOf(answer, 'availabilityZoneInfo')[0] ?? '', 'item')
  return new Map(items.map((item) => [elementText(item, 'zoneName'), elementText(item, 'zoneId')]))
}

function priceOf(
  item: string,
  region: string,
  zones: ReadonlyMap<string, string>,
): (LivePrice & { readonly at: string }) | string {
  const operatingSystem = systems.get(elementText(item, 'productDescription'))
  if (operatingSystem === undefined) return 'operating system with a licence of its own'
  const zone = elementText(item, 'availabilityZoneId') || zones.get(elementText(item, 'availabilityZone'))
  if (zone === undefined || zone === '') return 'in a zone without an id'
  const pricePerHourUsd = numberOf(elementText(item, 'spotPrice'))
  const instanceType = elementText(item, 'instanceType')
  if (!isPrice(pricePerHourUsd) || instanceType === '') return 'price is not a positive number'
  const at = elementText(item, 'timestamp')
  return {
    region,
    zone,
    instanceType,
    operatingSystem,
    usageType: 'SPOT_PREEMPTIBLE',
    term: '',
    pricePerHourUsd,
    machine: null,
    monthlyCapUsd: null,
    source: 'AWS DescribeSpotPriceHistory',
    day: at.slice(0, 10),
    at,
  }
}

/** Accounts that are old enough for EC2-Classic also have products with "(Amazon VPC)"; their price is the same. */
const systems = new Map<string, OperatingSystem>([
  ['Linux/UNIX', 'Linux'],
  ['Linux/UNIX (Amazon VPC)', 'Linux'],
  ['Windows', 'Windows'],
  ['Windows (Amazon VPC)', 'Windows'],
])

async function ask(
  sources: Sources,
  { url, region, credential, now }: SpotQuery,
  action: string,
  parameters: Readonly<Record<string, string>>,
): Promise<string> {
  const body = new URLSearchParams({ Action: action, Version: '2016-11-15', ...parameters }).toString()
  const request: SourceRequest = {
    url,
    method: 'POST',
    body,
    secret: true,
    headers: () => signedHeaders({ url, body, region, service: 'ec2', nowMs: now() }, credential),
  }
  const answer = await sources.whole(request, (xml) => {
    if (!xml.includes(`<${action}Response`)) throw malformed(url, `did not answer ${action}`)
    if (!xml.includes(`</${action}Response>`))
      throw new ImportFailure('truncated', `${addressWithoutQuery(url)} broke off its answer to ${action}`)
    return xml
  })
  return typeof answer === 'string' ? answer : ''
}

/** Works only for flat, regular XML like these answers: attributes do not matter, and equal names are not nested. */
function elementsOf(xml: string, name: string): string[] {
  return Array.from(
    xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>(.*?)</${name}>`, 'gs')),
    ([, inner]) => inner!,
  )
}

function elementText(xml: string, name: string): string {
  const inner = new RegExp(`<${name}(?:\\s[^>]*)?>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''
  return inner.replace(/&(lt|gt|quot|apos|amp|#\d+|#x[0-9a-f]+);/gi, (_, entity: string) => character(entity))
}

function character(entity: string): string {
  if (entity.startsWith('#'))
    return String.fromCodePoint(Number(entity.slice(1).replace(/^x/i, '0x')) || 0xfffd)
  return named[entity.toLowerCase()]!
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
