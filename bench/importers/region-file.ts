import { instance, onDemandOf, productOf, reservedOf } from '../../src/importers/live/fakes/aws.case.ts'

/** Every combination is a product of its own; two of them are ours, as in the true file. */
const kinds: readonly Record<string, string>[] = [
  'Linux',
  'Windows',
  'RHEL',
  'SUSE',
  'Ubuntu Pro',
  'Red Hat Enterprise Linux with HA',
].flatMap((operatingSystem) =>
  ['NA', 'SQL Std', 'SQL Web', 'SQL Ent'].flatMap((preInstalledSw) =>
    ['Shared', 'Dedicated', 'Host'].flatMap((tenancy) =>
      ['Used', 'UnusedCapacityReservation', 'AllocatedCapacityReservation'].map((capacitystatus) => ({
        operatingSystem,
        preInstalledSw,
        tenancy,
        capacitystatus,
      })),
    ),
  ),
)

const reserved = ([1, 3] as const).flatMap((years) =>
  (['standard', 'convertible'] as const).flatMap((offering) =>
    (['No Upfront', 'Partial Upfront', 'All Upfront'] as const).map((payment) => ({
      years,
      offering,
      payment,
      hourlyUsd: payment === 'All Upfront' ? '0.0000000000' : '0.1210000000',
      ...(payment === 'No Upfront' ? {} : { upfrontUsd: '505' }),
    })),
  ),
)

const bytesPerProduct = 4_700

/** A region's price list of about so many bytes, in the true shape and indented as the true one is. */
export function* regionFile(bytes: number): Generator<string> {
  const products = Math.ceil(bytes / bytesPerProduct)
  const sku = (n: number) => `${(n * 2_654_435_761).toString(36).toUpperCase().padStart(16, 'Q')}`
  const member = (n: number, value: unknown) =>
    `${n === 0 ? '' : ','}\n    ${JSON.stringify(sku(n))} : ${JSON.stringify(value, null, 2)}`
  yield '{\n  "formatVersion" : "v1.0",\n  "offerCode" : "AmazonEC2",\n  "publicationDate" : "2026-11-14T21:00:00Z",\n  "products" : {'
  for (let n = 0; n < products; n++) {
    const type = Math.floor(n / kinds.length)
    const attributes = instance('us-east-1', `m${type >> 4}.${type & 15}xlarge`, kinds[n % kinds.length]!)
    yield member(n, productOf({ sku: sku(n), attributes }))
  }
  yield '\n  },\n  "terms" : {\n    "OnDemand" : {'
  for (let n = 0; n < products; n++) yield member(n, onDemandOf(sku(n), '0.1920000000'))
  yield '\n    },\n    "Reserved" : {'
  for (let n = 0; n < products; n += 3) yield member(n, reservedOf(sku(n), reserved))
  yield '\n    }\n  }\n}\n'
}
