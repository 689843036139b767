import { ovhcloudProvider as provider } from '../ovhcloud.ts'
import { addressWithoutQuery, ImportFailure } from './fetching/failure.ts'
import { type Importer, listOf, memberOf, objectOf, textOf } from './importer.ts'
import { groupAddons, readFlavour } from './ovhcloud/flavour.ts'
import { PriceSheet } from './price-sheet.ts'

export const ovhcloudImporter: Importer = {
  provider,
  currency: 'EUR',
  endpoints: { api: 'https://eu.api.ovh.com' },
  needs: {
    credential: [],
    limits: 'one document of some megabytes',
    peculiarities: [
      'priced in euro, in hundred-millionths, and converted at the reference rate of the day',
      'regions stand at any of the plans of a flavour (by the hour, by the month), and hold for all of them',
      'local zones and regions of three zones have plans of their own and are left out',
    ],
  },
  fill: {},
  async read({ sources, endpoint, exchange, lastGood, day }) {
    const url = `${endpoint('api')}/v1/order/catalog/public/cloud?ovhSubsidiary=DE`
    const catalogue = await sources.json({ url })
    const currency = textOf(objectOf(memberOf(catalogue, 'locale', url)).currencyCode)
    const rate = await exchange(currency)
    const sheet = new PriceSheet()
    if (currency !== 'USD') sheet.exchange = rate
    const groups = groupAddons(listOf(memberOf(catalogue, 'addons', url)))
    if (groups.size === 0)
      throw new ImportFailure('malformed', `${addressWithoutQuery(url)} lists no instance`)
    for (const [name, addons] of groups) {
      sheet.rows += addons.length
      const prices = readFlavour(name, addons, rate, lastGood.regionsOf(name), day)
      if (typeof prices === 'string') sheet.drop(prices, name)
      else for (const price of prices) sheet.add(price)
    }
    return sheet
  },
}
