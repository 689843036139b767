import { notModified } from '../fetching/http/sources.ts'
import type { ImportContext, Importer } from '../fetching/importer.ts'
import { PriceSheet } from '../fetching/price-sheet.ts'
import { readPriceList, readRegions } from './live/price-list.ts'
import { readSavingsPlans } from './live/savings-plans.ts'
import type { AwsCredential } from './live/sigv4.ts'
import { readSpotPrices } from './live/spot.ts'
import { awsProvider as provider } from './provider.ts'
import { awsFill } from './sizes.ts'

export const awsImporter: Importer = {
  provider,
  isLarge: true, // us-east-1 alone has 450 MB: github.com/mattrobinsonsre/terrapod/issues/956
  currency: 'USD',
  endpoints: {
    prices: 'https://pricing.us-east-1.amazonaws.com',
    ec2: 'https://ec2.{region}.amazonaws.com',
  },
  needs: {
    credential: [],
    optional: {
      credential: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
      gives: 'spot prices (ec2:DescribeSpotPriceHistory, ec2:DescribeAvailabilityZones)',
    },
    limits: 'no published limit on price lists; spot pages of 1,000',
    peculiarities: [
      'one file a region, hundreds of megabytes large, read in a stream; unchanged files are not read again',
      'reserved prices are those without upfront payment, else the payment spread over the term',
      'savings plans are Compute Savings Plans without upfront payment',
      'local and wavelength zones, and the partitions with lists of their own, are left out',
    ],
  },
  fill: awsFill,
  async read(context) {
    const sheet = new PriceSheet()
    const { lists, plans } = await readRegions(context)
    const isRead = (region: string): boolean => context.regions?.has(region) ?? true
    for (const [region, url] of lists) {
      if (!isRead(region)) {
        context.sources.confirm(url)
        continue
      }
      context.onProgress(`${region}: price list`)
      const list = await readPriceList(context.sources, url, region)
      if (list !== notModified) sheet.addAll(list)
      else sheet.keep((o) => o.region === region && o.usageType !== 'SPOT_PREEMPTIBLE' && !isPlan(o.term))
    }
    for (const [region, url] of plans) {
      if (!isRead(region)) {
        context.sources.confirm(url)
        continue
      }
      context.onProgress(`${region}: savings plans`)
      const list = await readSavingsPlans(context.sources, url, region)
      if (list !== notModified) sheet.addAll(list)
      else sheet.keep((o) => o.region === region && isPlan(o.term))
    }
    await addSpot(context, sheet, [...lists.keys()].filter(isRead))
    return sheet
  },
}

const isPlan = (term: string): boolean => term.endsWith('-savings-plan')

async function addSpot(context: ImportContext, sheet: PriceSheet, regions: readonly string[]): Promise<void> {
  const credential = credentialOf(context)
  if (credential === undefined) {
    sheet.keep((o) => o.usageType === 'SPOT_PREEMPTIBLE', 'spot prices are the previous ones: no credential')
    return
  }
  for (const region of regions) {
    context.onProgress(`${region}: spot prices`)
    const url = `${context.endpoint('ec2').replace('{region}', region)}/`
    sheet.addAll(await readSpotPrices(context.sources, { region, url, credential, now: context.now }))
  }
}

function credentialOf({ secret }: ImportContext): AwsCredential | undefined {
  const accessKeyId = secret('AWS_ACCESS_KEY_ID')
  const secretAccessKey = secret('AWS_SECRET_ACCESS_KEY')
  const sessionToken = secret('AWS_SESSION_TOKEN')
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) }
}
