import { type Answer, type Fake, json, notFound, unauthorised } from './server.case.ts'

export function fakeDigitalocean(sizes: readonly unknown[], token: string, pageItems = 200): Fake {
  return ({ path, query, headers }, origin) => {
    if (path !== '/v2/sizes') return notFound
    if (headers.authorization !== `Bearer ${token}`) return unauthorised
    const page = Number(query.get('page') ?? 1)
    const more = page * pageItems < sizes.length
    return json({
      sizes: sizes.slice((page - 1) * pageItems, page * pageItems),
      links: more ? { pages: { next: `${origin}/v2/sizes?page=${page + 1}` } } : {},
      meta: { total: sizes.length },
    })
  }
}

export const droplet = (slug: string, more: Readonly<Record<string, unknown>>) => ({
  slug,
  memory: 8192,
  vcpus: 4,
  disk: 160,
  transfer: 5,
  available: true,
  regions: ['fra1', 'nyc3'],
  description: 'Basic',
  ...more,
})

export function fakeHetzner(types: readonly unknown[], token: string, currency = 'EUR', pageItems = 2): Fake {
  return (asked) => {
    const { path, query, headers } = asked
    if (isRate(path)) return rateAnswer('1.1567', '2026-11-13')
    if (headers.authorization !== `Bearer ${token}`) return unauthorised
    if (path === '/v1/pricing')
      return json({ pricing: { currency, vat_rate: '19.00', server_types: [], primary_ips: [] } })
    if (path !== '/v1/server_types') return notFound
    const page = Number(query.get('page') ?? 1)
    const last = Math.max(1, Math.ceil(types.length / pageItems))
    return json({
      server_types: types.slice((page - 1) * pageItems, page * pageItems),
      meta: {
        pagination: { page, per_page: pageItems, next_page: page < last ? page + 1 : null, last_page: last },
      },
    })
  }
}

export const serverType = (
  id: number,
  name: string,
  prices: readonly [location: string, hourly: string, monthly: string][],
  more: Readonly<Record<string, unknown>> = {},
) => ({
  id,
  name,
  description: name.toUpperCase(),
  cores: 2,
  memory: 4.0,
  disk: 40,
  cpu_type: 'shared',
  architecture: 'x86',
  deprecated: false,
  prices: prices.map(([location, hourly, monthly]) => ({
    location,
    price_hourly: { net: hourly, gross: String(Number(hourly) * 1.19) },
    price_monthly: { net: monthly, gross: String(Number(monthly) * 1.19) },
    included_traffic: 21990232555520,
  })),
  ...more,
})

export function fakeOvhcloud(addons: readonly unknown[], currencyCode = 'EUR'): Fake {
  return ({ path, query }) => {
    if (isRate(path)) return rateAnswer('1.1567', '2026-11-13')
    if (path !== '/v1/order/catalog/public/cloud' || query.get('ovhSubsidiary') !== 'DE') return notFound
    return json({
      catalogId: 1,
      locale: { currencyCode, subsidiary: 'DE', taxRate: 19 },
      plans: [],
      products: [],
      addons,
    })
  }
}

export const addon = (
  planCode: string,
  price: number,
  technical: unknown,
  regions: readonly string[] = [],
) => ({
  planCode,
  invoiceName: planCode.split('.')[0],
  product: 'publiccloud-instance',
  pricings: [
    {
      phase: 1,
      capacities: ['consumption'],
      interval: 1,
      intervalUnit: planCode.endsWith('.consumption') ? 'hour' : 'month',
      price,
      tax: Math.round(price * 0.19),
      mode: 'default',
    },
  ],
  blobs: technical === null ? null : { technical },
  configurations:
    regions.length === 0 ? [] : [{ name: 'region', isCustom: false, isMandatory: false, values: regions }],
})

const isRate = (path: string): boolean => path === '/stats/eurofxref/eurofxref-daily.xml'

export const rateAnswer = (usd: string, day: string): Answer => ({
  type: 'text/xml',
  body: `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<gesmes:subject>Reference rates</gesmes:subject>
<Cube><Cube time='${day}'><Cube currency='USD' rate='${usd}'/><Cube currency='JPY' rate='178.2'/></Cube></Cube>
</gesmes:Envelope>`,
})
