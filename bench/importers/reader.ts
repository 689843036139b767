import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { shippedCatalogue } from '../../src/catalogue/load-catalogue.ts'
import { refreshInThread } from '../../src/catalogue/refresh/prepare.ts'
import { readPriceList } from '../../src/providers/aws/live/price-list.ts'
import { Sources } from '../../src/providers/fetching/http/sources.ts'
import { JsonSkimmer } from '../../src/providers/fetching/json/skim.ts'

// Runs one reading in a separate process, so that its peak memory can be measured.

const maxBytes = 8 * 1024 ** 3
const skipAll = () => new JsonSkimmer({ action: () => 'skip', take: () => {} })

const readings: Record<string, (where: string) => Promise<string>> = {
  drain: async (url) => {
    await new Sources().read({ url, maxBytes }, async (chunks) => {
      for await (const _ of chunks);
    })
    return ''
  },
  tokenize: async (file) => {
    const skimmer = skipAll()
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 18 })) skimmer.write(chunk)
    skimmer.finish()
    return ''
  },
  'tokenize-http': async (url) => {
    const skimmer = skipAll()
    await new Sources().read({ url, maxBytes }, async (chunks) => {
      for await (const chunk of chunks) skimmer.write(chunk)
    })
    skimmer.finish()
    return ''
  },
  import: async (url) => {
    const sheet = await readPriceList(new Sources(), url, 'us-east-1')
    return typeof sheet === 'symbol' ? '' : `${sheet.prices.length} prices of ${sheet.rows} products`
  },
  refresh: async (json) => {
    const { endpoints, secrets, providers } = JSON.parse(json)
    const catalogues = [await readFile(shippedCatalogue)]
    const refreshed = await refreshInThread(
      { catalogues, providers, endpoints, secrets, accept: true },
      () => {},
    )
    const offers = refreshed.manifest.providers.map(({ provider, offers }) => `${provider} ${offers}`)
    const packed = refreshed.changes.reduce((sum, { packed: { length } }) => sum + length, 0)
    return `${offers.join(', ')} offers; ${(refreshed.bytes.length / 1e6).toFixed(2)} MB; ${refreshed.changes.length} records of changes, ${(packed / 1e3).toFixed(0)} kB`
  },
}

const [what = '', where = ''] = process.argv.slice(2)
const started = performance.now()
const said = await readings[what]!(where)
const seconds = (performance.now() - started) / 1000
const maxMib = Math.round(process.resourceUsage().maxRSS / 1024)
const { user, system } = process.cpuUsage()
console.log(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, maxMib, said }))
process.exit(0)
