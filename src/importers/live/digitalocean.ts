import { digitaloceanProvider as provider } from '../digitalocean.ts'
import { readSize } from './digitalocean/size.ts'
import { addressWithoutQuery, ImportFailure } from './fetching/failure.ts'
import { type Importer, listOf, memberOf, objectOf, textOf } from './importer.ts'
import { PriceSheet } from './price-sheet.ts'

const mostPages = 100

export const digitaloceanImporter: Importer = {
  provider,
  currency: 'USD',
  endpoints: { api: 'https://api.digitalocean.com' },
  needs: {
    credential: ['DIGITALOCEAN_TOKEN'],
    limits: 'pages of 200; 5,000 requests an hour',
    peculiarities: ['one price in all regions that have a size', 'a month costs no more than its cap'],
  },
  fill: {},
  async read({ sources, endpoint, secret, day }) {
    const token = secret('DIGITALOCEAN_TOKEN')
    if (token === undefined)
      throw new ImportFailure('needs-credential', 'needs DIGITALOCEAN_TOKEN, a token that may read sizes')
    const sheet = new PriceSheet()
    for (let page = 1, more = true; more; page++) {
      const url = `${endpoint('api')}/v2/sizes?per_page=200&page=${page}`
      const answer = await sources.json({
        url,
        secret: true,
        headers: () => ({ authorization: `Bearer ${token}` }),
      })
      for (const size of listOf(memberOf(answer, 'sizes', url))) {
        sheet.rows++
        const prices = readSize(size, day)
        if (typeof prices === 'string') sheet.drop(prices, textOf(objectOf(size).slug))
        else for (const price of prices) sheet.add(price)
      }
      more = textOf(objectOf(objectOf(objectOf(answer).links).pages).next) !== ''
      if (page > mostPages)
        throw new ImportFailure('malformed', `${addressWithoutQuery(url)} gives pages without end`)
    }
    return sheet
  },
}
