import { type Fake, json, notFound } from '../fetching/fake-server.case.ts'

/** Serves items as the service lists them, `pageItems` on each page; with a filter of regions, only those of these. */
export function fakeAzure(all: readonly Readonly<Record<string, unknown>>[], pageItems = 1_000): Fake {
  return ({ path, query }, origin) => {
    const filter = query.get('$filter') ?? ''
    if (path !== '/api/retail/prices' || !filter.startsWith("serviceName eq 'Virtual Machines'"))
      return notFound
    const regions = Array.from(filter.matchAll(/armRegionName eq '(\w+)'/g), ([, region]) => region)
    const items =
      regions.length === 0 ? all : all.filter((item) => regions.includes(item.armRegionName as string))
    const skip = Number(query.get('$skip') ?? 0)
    const page = items.slice(skip, skip + pageItems)
    const next = new URLSearchParams(query)
    next.set('$skip', String(skip + pageItems))
    return json({
      BillingCurrency: 'USD',
      CustomerEntityId: 'Default',
      CustomerEntityType: 'Retail',
      Items: page,
      NextPageLink: skip + pageItems < items.length ? `${origin}${path}?${next}` : null,
      Count: page.length,
    })
  }
}

export const azureItem = (
  armRegionName: string,
  armSkuName: string,
  retailPrice: number,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => ({
  currencyCode: 'USD',
  tierMinimumUnits: 0,
  retailPrice,
  unitPrice: retailPrice,
  armRegionName,
  location: armRegionName,
  effectiveStartDate: '2026-01-01T00:00:00Z',
  meterId: `meter-${armSkuName}`,
  meterName: armSkuName.replace(/^Standard_/, '').replaceAll('_', ' '),
  productId: 'DZH318Z0BPRJ',
  skuId: `DZH318Z0BPRJ/${armSkuName}`,
  productName: 'Virtual Machines Series',
  skuName: armSkuName.replace(/^Standard_/, '').replaceAll('_', ' '),
  serviceName: 'Virtual Machines',
  serviceId: 'DZH313Z7MMC8',
  serviceFamily: 'Compute',
  unitOfMeasure: '1 Hour',
  type: 'Consumption',
  isPrimaryMeterRegion: true,
  armSkuName,
  ...more,
})
