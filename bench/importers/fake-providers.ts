import { offersIn } from '../../src/catalogue/columns/offer-view.ts'
import { readSnapshot, shippedCatalogue } from '../../src/catalogue/load-catalogue.ts'
import type { Offer } from '../../src/domain/offer.ts'
import { type AwsListing, fakeAws, instance } from '../../src/providers/aws/fake-api.case.ts'
import { azureItem, fakeAzure } from '../../src/providers/azure/fake-api.case.ts'
import { droplet, fakeDigitalocean } from '../../src/providers/digitalocean/fake-api.case.ts'
import { type Fake, type FakeServer, startFake } from '../../src/providers/fetching/fake-server.case.ts'
import { fakeGcp, type GcpListing } from '../../src/providers/gcp/fake-api.case.ts'
import { fakeHetzner, serverType } from '../../src/providers/hetzner/fake-api.case.ts'
import { addon, fakeOvhcloud } from '../../src/providers/ovhcloud/fake-api.case.ts'

/** Starts six providers on loopback that list the offers of the shipped catalogue in their own formats. */
export async function startFakeProviders() {
  const byProvider = Map.groupBy(offersIn((await readSnapshot(shippedCatalogue)).columns), (o) => o.provider)
  const of = (key: string): Offer[] => byProvider.get(key) ?? []
  const fakes: Record<string, Fake> = {
    aws: awsOf(of('aws')),
    azure: fakeAzure(of('azure').map(azureOf)),
    gcp: fakeGcp(gcpOf(of('gcp')), 'key'),
    digitalocean: fakeDigitalocean(
      [...Map.groupBy(of('digitalocean'), (o) => o.instanceType)].map(([slug, offers]) =>
        droplet(slug, {
          price_hourly: offers[0]!.pricePerHourUsd,
          price_monthly: offers[0]!.monthlyCapUsd,
          vcpus: offers[0]!.vcpus,
          memory: offers[0]!.ramGib! * 1024,
          regions: offers.map((o) => o.region),
        }),
      ),
      'token',
    ),
    hetzner: fakeHetzner(
      [...Map.groupBy(of('hetzner'), (o) => o.instanceType)].map(([name, offers], i) =>
        serverType(
          i,
          name,
          offers.map((o) => [
            o.region,
            String(o.pricePerHourUsd / 1.1567),
            String((o.monthlyCapUsd ?? 1) / 1.1567),
          ]),
        ),
      ),
      'token',
      'EUR',
      50,
    ),
    ovhcloud: fakeOvhcloud(
      [...Map.groupBy(of('ovhcloud'), (o) => o.instanceType)].map(([name, offers]) =>
        addon(
          `${name}.consumption`,
          Math.round((offers[0]!.pricePerHourUsd / 1.1567) * 1e8),
          { cpu: { cores: offers[0]!.vcpus }, memory: { size: offers[0]!.ramGib } },
          offers.map((o) => o.region),
        ),
      ),
    ),
  }
  const names: Record<string, string> = { aws: 'prices', azure: 'prices', gcp: 'billing' }
  const servers: FakeServer[] = []
  const endpoints: Record<string, string> = {}
  for (const [key, fake] of Object.entries(fakes)) {
    const server = await startFake(fake)
    servers.push(server)
    endpoints[`${key}.${names[key] ?? 'api'}`] = server.url
    if (key === 'ovhcloud') endpoints['exchange.rates'] = server.url
  }
  const secrets = { GOOGLE_API_KEY: 'key', DIGITALOCEAN_TOKEN: 'token', HCLOUD_TOKEN: 'token' }
  return {
    work: { endpoints, secrets, providers: Object.keys(fakes) },
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  }
}

function awsOf(offers: Offer[]): Fake {
  const listed = offers.filter((o) => o.usageType !== 'SPOT_PREEMPTIBLE')
  const regions: Record<string, AwsListing[]> = {}
  let n = 0
  for (const [key, group] of Map.groupBy(
    listed,
    (o) => `${o.region}\n${o.instanceType}\n${o.operatingSystem}`,
  )) {
    const [region = '', type = '', system = ''] = key.split('\n')
    const onDemand = group.find((o) => o.usageType === 'ONDEMAND')
    const reserved = group.flatMap(({ term, pricePerHourUsd }) => {
      const match = /^([13])y(-convertible)?$/.exec(term)
      if (match === null) return []
      return [
        {
          years: Number(match[1]) as 1 | 3,
          offering: match[2] === undefined ? ('standard' as const) : ('convertible' as const),
          payment: 'No Upfront' as const,
          hourlyUsd: String(pricePerHourUsd),
        },
      ]
    })
    regions[region] ??= []
    const attributes = instance(region, type, {
      operatingSystem: system,
      vcpu: String(group[0]!.vcpus),
      memory: `${group[0]!.ramGib} GiB`,
    })
    regions[region].push({
      sku: `SKU${n++}`,
      attributes,
      reserved,
      ...(onDemand === undefined ? {} : { onDemandUsd: String(onDemand.pricePerHourUsd) }),
    })
  }
  return fakeAws({ published: '2026-11-14T21:00:00Z', regions, plans: [], savings: {}, spot: {}, zones: {} })
}

function azureOf(o: Offer): Record<string, unknown> {
  const years = o.term === '1y' ? 1 : o.term === '3y' ? 3 : 0
  const windows = o.operatingSystem === 'Windows' ? ' Windows' : ''
  if (o.term.endsWith('-savings-plan'))
    return azureItem(o.region, o.instanceType, o.pricePerHourUsd * 1.5, {
      savingsPlan: [{ retailPrice: o.pricePerHourUsd, term: o.term.startsWith('1') ? '1 Year' : '3 Years' }],
    })
  if (years > 0)
    return azureItem(o.region, o.instanceType, o.pricePerHourUsd * 8760 * years, {
      type: 'Reservation',
      reservationTerm: years === 1 ? '1 Year' : '3 Years',
    })
  return azureItem(o.region, o.instanceType, o.pricePerHourUsd, {
    productName: `Virtual Machines Series${windows}`,
    ...(o.usageType === 'SPOT_PREEMPTIBLE' && { skuName: 'Spot' }),
  })
}

/** Lists rates of every series in each of its regions. The values do not matter here. */
function gcpOf(offers: Offer[]): GcpListing[] {
  const pairs = new Set(offers.map((o) => `${o.instanceType.split('-')[0]!.toUpperCase()}\n${o.region}`))
  const listings: GcpListing[] = []
  for (const pair of pairs) {
    const [series = '', region = ''] = pair.split('\n')
    const usages = [
      ['OnDemand', '', 1],
      ['Preemptible', 'Spot Preemptible ', 0.4],
      ['Commit1Yr', '', 0.6],
      ['Commit3Yr', '', 0.4],
    ] as const
    for (const [usage, before, factor] of usages) {
      const at = { usage, regions: [region] }
      listings.push({
        ...at,
        description: `${before}${series} Instance Core running in X`,
        group: 'CPU',
        usd: 0.03 * factor,
      })
      listings.push({
        ...at,
        description: `${before}${series} Instance Ram running in X`,
        group: 'RAM',
        usd: 0.004 * factor,
      })
    }
  }
  listings.push({
    description: 'Licensing Fee for Windows Server 2022 Datacenter Edition (CPU cost)',
    group: 'Google',
    usage: 'OnDemand',
    regions: ['global'],
    usd: 0.046,
    family: 'License',
  })
  return listings
}
