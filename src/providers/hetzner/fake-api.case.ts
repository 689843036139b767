import { isRate, rateAnswer } from '../fetching/fake-exchange-rate.case.ts'
import { type Fake, json, notFound, unauthorised } from '../fetching/fake-server.case.ts'

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
