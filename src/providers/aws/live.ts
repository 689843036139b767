import { awsProvider as provider } from '../aws.ts'
import { awsArchitectureRules, isAwsAccelerated } from '../aws-sizes.ts'
import { readPriceList } from './aws/price-list.ts'
import { readRegions } from './aws/regions.ts'
import { readSavingsPlans } from './aws/savings-plans.ts'
import type { AwsCredential } from './aws/sigv4.ts'
import { readSpotPrices } from './aws/spot.ts'
import { notModified } from './fetching/sources.ts'
import type { ImportContext, Importer } from './importer.ts'
import { PriceSheet } from './price-sheet.ts'

export const awsImporter: Importer = {
  provider,
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
  fill: { architectures: awsArchitectureRules, isAccelerated: isAwsAccelerated, runsAs: { i386: 'x86_64' } },
  async read(context) {
    const sheet = new PriceSheet()
    const { lists, plans } = await readRegions(context)
    for (const [region, url] of lists) {
      context.onProgress(`${region}: price list`)
      const list = await readPriceList(context.sources, url, region)
      if (list !== notModified) sheet.addAll(list)
      else sheet.keep((o) => o.region === region && o.usageType !== 'SPOT_PREEMPTIBLE' && !isPlan(o.term))
    }
    for (const [region, url] of plans) {
      context.onProgress(`${region}: savings plans`)
      const list = await readSavingsPlans(context.sources, url, region)
      if (list !== notModified) sheet.addAll(list)
      else sheet.keep((o) => o.region === region && isPlan(o.term))
    }
    await addSpot(context, sheet, [...lists.keys()])
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
