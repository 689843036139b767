import { type Fake, json, notFound, unauthorised } from '../fetching/fake-server.case.ts'

export interface GcpListing {
  readonly description: string
  readonly group: string
  readonly usage: 'OnDemand' | 'Preemptible' | 'Commit1Yr' | 'Commit3Yr'
  readonly regions: readonly string[]
  readonly usd: number
  readonly unit?: 'h' | 'GiBy.h' | 'GiBy.mo'
  readonly family?: string
}

export function fakeGcp(listings: readonly GcpListing[], apiKey: string, pageItems = 5_000): Fake {
  return ({ path, query, headers }) => {
    if (path !== '/v1/services/6F81-5844-456A/skus') return notFound
    if (headers['x-goog-api-key'] !== apiKey || query.has('key')) return unauthorised
    const from = Number(query.get('pageToken') ?? 0)
    return json({
      skus: listings.slice(from, from + pageItems).map((one, i) => skuOf(one, from + i)),
      nextPageToken: from + pageItems < listings.length ? String(from + pageItems) : '',
    })
  }
}

function skuOf({ description, group, usage, regions, usd, unit, family }: GcpListing, n: number) {
  const skuId = `${n.toString(16).toUpperCase().padStart(4, '0')}-0000-0000`
  const units = Math.floor(usd)
  return {
    name: `services/6F81-5844-456A/skus/${skuId}`,
    skuId,
    description,
    category: {
      serviceDisplayName: 'Compute Engine',
      resourceFamily: family ?? 'Compute',
      resourceGroup: group,
      usageType: usage,
    },
    serviceRegions: regions,
    pricingInfo: [
      {
        summary: '',
        pricingExpression: {
          usageUnit: unit ?? (group === 'RAM' || / Ram /.test(description) ? 'GiBy.h' : 'h'),
          displayQuantity: 1,
          tieredRates: [
            {
              startUsageAmount: 0,
              unitPrice: {
                currencyCode: 'USD',
                units: String(units),
                nanos: Math.round((usd - units) * 1e9),
              },
            },
          ],
        },
        currencyConversionRate: 1,
        effectiveTime: '2026-11-15T00:00:00Z',
      },
    ],
    serviceProviderName: 'Google',
  }
}

/** The four rates of a resource of a series: on demand, spot, one and three years. */
export function gcpRates(
  words: { running: string; commitment: string; group: string; place: string; family?: string },
  regions: readonly string[],
  usd: readonly [number, number, number, number],
  unit?: GcpListing['unit'],
): GcpListing[] {
  const { running, commitment, group, place, family } = words
  const more = {
    group,
    regions,
    ...(unit === undefined ? {} : { unit }),
    ...(family === undefined ? {} : { family }),
  }
  return [
    { description: `${running} running in ${place}`, usage: 'OnDemand', usd: usd[0], ...more },
    {
      description: `Spot Preemptible ${running} running in ${place}`,
      usage: 'Preemptible',
      usd: usd[1],
      ...more,
    },
    {
      description: `Commitment v1: ${commitment} in ${place} for 1 Year`,
      usage: 'Commit1Yr',
      usd: usd[2],
      ...more,
    },
    {
      description: `Commitment v1: ${commitment} in ${place} for 3 Years`,
      usage: 'Commit3Yr',
      usd: usd[3],
      ...more,
    },
  ]
}
