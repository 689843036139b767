import type { Provider } from '../../src/domain/provider.ts'
import { type CsvImport, readMarketplaceCsv } from '../../src/pricing/own-prices/marketplace-csv.ts'
import type { paths } from '../api/schema.ts'

type Providers = paths['/providers']['get']['responses'][200]['content']['application/json']

/** Checks a file with the service's own rules in the browser, without sending it. */
export function readFile(text: string, name: string, providers: Providers): CsvImport {
  const findProvider = (wanted: string): Provider | undefined => {
    const given = wanted.trim().toLowerCase()
    const found = Object.entries(providers).find(
      ([key, { provider }]) => key === given || provider.toLowerCase() === given,
    )
    // The rules need only these two members of a provider.
    return found && ({ key: found[0], displayName: found[1].provider } as Provider)
  }
  return readMarketplaceCsv(text, { findProvider, ...(name === '' ? {} : { name }) })
}
