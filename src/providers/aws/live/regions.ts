import { malformed } from '../../fetching/http/failure.ts'
import { type ImportContext, listOf, memberOf, objectOf, textOf } from '../../fetching/importer.ts'

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

/** The name of a local zone continues after the number of its region. */
const isLocalZone = (name: string): boolean => /-\d-/.test(name)
