import {
  type Answer,
  type Asked,
  type Fake,
  json,
  notFound,
  tagged,
  unauthorised,
} from '../fetching/fake-server.case.ts'

/** One product and what it costs, in the words of the price list. */
export interface AwsListing {
  readonly sku: string
  readonly attributes: Readonly<Record<string, string>>
  readonly family?: string
  readonly onDemandUsd?: string
  readonly reserved?: readonly AwsReserved[]
}

export interface AwsReserved {
  readonly years: 1 | 3
  readonly offering: 'standard' | 'convertible'
  readonly payment: 'No Upfront' | 'Partial Upfront' | 'All Upfront'
  readonly hourlyUsd: string
  readonly upfrontUsd?: string
}

export interface AwsSavingsRate {
  readonly plan: string
  readonly usageType: string
  readonly operation: string
  readonly usd: string
  readonly service?: string
}

export interface AwsSpot {
  readonly type: string
  readonly product: string
  readonly zone: string
  readonly usd: string
  readonly at: string
}

export interface AwsFakeData {
  readonly published: string
  readonly regions: Readonly<Record<string, readonly AwsListing[]>>
  /** Names in the index in addition to the regions with listings. */
  readonly otherRegions?: readonly string[]
  readonly savings: Readonly<Record<string, readonly AwsSavingsRate[]>>
  readonly plans: readonly { sku: string; family: string; option: string; term: string }[]
  readonly spot: Readonly<Record<string, readonly AwsSpot[]>>
  /** Zone ids by region and zone name. */
  readonly zones: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly termsFirst?: boolean
  readonly accessKeyId?: string
}

export const instance = (
  region: string,
  instanceType: string,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> => ({
  servicecode: 'AmazonEC2',
  location: `Location of ${region}`,
  locationType: 'AWS Region',
  instanceType,
  currentGeneration: 'Yes',
  instanceFamily: 'General purpose',
  vcpu: '4',
  physicalProcessor: 'Intel Xeon Platinum 8175',
  memory: '16 GiB',
  storage: 'EBS only',
  tenancy: 'Shared',
  operatingSystem: 'Linux',
  licenseModel: 'No License required',
  usagetype: `BoxUsage:${instanceType}`,
  operation: 'RunInstances',
  capacitystatus: 'Used',
  marketoption: 'OnDemand',
  preInstalledSw: 'NA',
  regionCode: region,
  servicename: 'Amazon Elastic Compute Cloud',
  ...more,
})

/** Serves price lists under /offers and /savingsPlan, and the EC2 query API under /ec2/{region}/. */
export function fakeAws(fakeCatalogue: AwsFakeData): Fake {
  return (asked) => {
    const { path } = asked
    if (path === '/offers/v1.0/aws/AmazonEC2/current/region_index.json') return regionIndex(fakeCatalogue)
    if (path === '/savingsPlan/v1.0/aws/AWSComputeSavingsPlan/current/region_index.json')
      return planIndex(fakeCatalogue)
    const list = /^\/offers\/v1\.0\/aws\/AmazonEC2\/current\/([^/]+)\/index\.json$/.exec(path)?.[1]
    if (list !== undefined && fakeCatalogue.regions[list] !== undefined)
      return tagged(asked, `"list-${list}-${fakeCatalogue.published}"`, priceListText(fakeCatalogue, list))
    const plan = /^\/savingsPlan\/v1\.0\/aws\/AWSComputeSavingsPlan\/1\/([^/]+)\/index\.json$/.exec(path)?.[1]
    if (plan !== undefined && fakeCatalogue.savings[plan] !== undefined)
      return tagged(asked, `"plan-${plan}-${fakeCatalogue.published}"`, savingsText(fakeCatalogue, plan))
    const region = /^\/ec2\/([^/]+)\/$/.exec(path)?.[1]
    return region === undefined ? notFound : ec2(fakeCatalogue, region, asked)
  }
}

function regionIndex({ regions, otherRegions = [], published }: AwsFakeData): Answer {
  const entry = (region: string) => [
    region,
    {
      regionCode: region,
      currentVersionUrl: `/offers/v1.0/aws/AmazonEC2/20261115000000/${region}/index.json`,
    },
  ]
  const all = [...Object.keys(regions), ...otherRegions].map(entry)
  return json({ formatVersion: 'v1.0', publicationDate: published, regions: Object.fromEntries(all) })
}

function planIndex({ savings, published }: AwsFakeData): Answer {
  const regions = Object.keys(savings).map((regionCode) => ({
    regionCode,
    versionUrl: `/savingsPlan/v1.0/aws/AWSComputeSavingsPlan/1/${regionCode}/index.json`,
  }))
  return json({ disclaimer: '', publicationDate: published, regions })
}

export function priceListText({ regions, published, termsFirst }: AwsFakeData, region: string): string {
  const listings = regions[region]!
  const products = Object.fromEntries(listings.map((one) => [one.sku, productOf(one)]))
  const priced = listings.filter((one) => one.onDemandUsd !== undefined)
  const terms = {
    OnDemand: Object.fromEntries(priced.map((one) => [one.sku, onDemandOf(one.sku, one.onDemandUsd!)])),
    Reserved: Object.fromEntries(
      listings.flatMap(({ sku, reserved }) => (reserved ? [[sku, reservedOf(sku, reserved)]] : [])),
    ),
  }
  const head = { formatVersion: 'v1.0', disclaimer: '', offerCode: 'AmazonEC2', publicationDate: published }
  return JSON.stringify(
    termsFirst ? { ...head, terms, products } : { ...head, products, terms, attributesList: {} },
    null,
    2,
  )
}

export const productOf = ({ sku, attributes, family = 'Compute Instance' }: AwsListing) => ({
  sku,
  productFamily: family,
  attributes,
})

export function onDemandOf(sku: string, usd: string) {
  const code = `${sku}.JRTCKXETXF`
  return {
    [code]: {
      offerTermCode: 'JRTCKXETXF',
      sku,
      effectiveDate: '2026-11-01T00:00:00Z',
      priceDimensions: { [`${code}.6YS6EN2CT7`]: dimension(`${code}.6YS6EN2CT7`, 'Hrs', usd) },
      termAttributes: {},
    },
  }
}

export function reservedOf(sku: string, offers: readonly AwsReserved[]) {
  return Object.fromEntries(
    offers.map((offer, i) => {
      const code = `${sku}.TERM${i}`
      const dimensions = {
        [`${code}.6YS6EN2CT7`]: dimension(`${code}.6YS6EN2CT7`, 'Hrs', offer.hourlyUsd),
        ...(offer.upfrontUsd === undefined
          ? {}
          : { [`${code}.2TG2D8R56U`]: dimension(`${code}.2TG2D8R56U`, 'Quantity', offer.upfrontUsd) }),
      }
      const termAttributes = {
        LeaseContractLength: `${offer.years}yr`,
        OfferingClass: offer.offering,
        PurchaseOption: offer.payment,
      }
      return [code, { offerTermCode: `TERM${i}`, sku, priceDimensions: dimensions, termAttributes }]
    }),
  )
}

const dimension = (rateCode: string, unit: string, usd: string) => ({
  rateCode,
  description: `$${usd} per machine`,
  beginRange: '0',
  endRange: 'Inf',
  unit,
  pricePerUnit: { USD: usd },
  appliesTo: [],
})

export function savingsText({ plans, savings, published, termsFirst }: AwsFakeData, region: string): string {
  const products = plans.map(({ sku, family, option, term }) => ({
    sku,
    productFamily: family,
    serviceCode: 'ComputeSavingsPlans',
    usageType: `${family}:${term}${option}`,
    attributes: {
      purchaseOption: option,
      granularity: 'hourly',
      purchaseTerm: term,
      locationType: 'AWS Region',
    },
  }))
  const savingsPlan = plans.map(({ sku, family, option, term }) => ({
    sku,
    description: `${term} ${option} ${family}`,
    effectiveDate: published,
    leaseContractLength: { duration: Number(term[0]), unit: 'year' },
    rates: savings[region]!.filter(({ plan }) => plan === sku).map((rate, i) => ({
      discountedSku: `SKU${i}`,
      discountedUsageType: rate.usageType,
      discountedOperation: rate.operation,
      discountedServiceCode: rate.service ?? 'AmazonEC2',
      rateCode: `${sku}.SKU${i}`,
      unit: 'Hrs',
      discountedRate: { price: rate.usd, currency: 'USD' },
    })),
  }))
  const head = { version: '1', publicationDate: published, regionCode: region }
  const terms = { savingsPlan }
  return JSON.stringify(termsFirst ? { ...head, terms, products } : { ...head, products, terms })
}

const spotPage = 3

function ec2(fakeCatalogue: AwsFakeData, region: string, { method, body, headers }: Asked): Answer {
  const form = new URLSearchParams(body)
  const signed = new RegExp(`Credential=${fakeCatalogue.accessKeyId}/\\d{8}/${region}/ec2/aws4_request`)
  if (method !== 'POST' || !signed.test(headers.authorization ?? ''))
    return { ...unauthorised, type: 'text/xml' }
  const action = form.get('Action')
  const wrap = (inner: string): Answer => ({
    type: 'text/xml;charset=UTF-8',
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<${action}Response xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">\n<requestId>r</requestId>${inner}</${action}Response>`,
  })
  if (action === 'DescribeAvailabilityZones') {
    const items = Object.entries(fakeCatalogue.zones[region] ?? {}).map(
      ([name, id]) => `<item><zoneName>${name}</zoneName><zoneId>${id}</zoneId></item>`,
    )
    return wrap(`<availabilityZoneInfo>${items.join('')}</availabilityZoneInfo>`)
  }
  const from = Number(form.get('NextToken') ?? 0)
  const all = fakeCatalogue.spot[region] ?? []
  const items = all
    .slice(from, from + spotPage)
    .map(
      ({ type, product, zone, usd, at }) =>
        `<item><instanceType>${type}</instanceType><productDescription>${product}</productDescription><spotPrice>${usd}</spotPrice><timestamp>${at}</timestamp><availabilityZone>${zone}</availabilityZone></item>`,
    )
  const next = from + spotPage < all.length ? String(from + spotPage) : ''
  return wrap(`<spotPriceHistorySet>${items.join('\n')}</spotPriceHistorySet><nextToken>${next}</nextToken>`)
}
