import { isRate, rateAnswer } from '../fetching/fake-exchange-rate.case.ts'
import { type Fake, json, notFound } from '../fetching/fake-server.case.ts'

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
