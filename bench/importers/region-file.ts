import { instance, onDemandOf, productOf, reservedOf } from '../../src/providers/aws/fake-api.case.ts'

/**
 * Number of products per type. Two of them (Linux and Windows on shared hardware without installed software) are
 * imported.
 * likely: the real us-east-1 file had 106,000 products in 450 MB in July 2026
 * (github.com/mattrobinsonsre/terrapod/issues/956), and the price facts have 1,367 types there: 106,000 / 1,367 = 77.
 * With five prices each this gives at most 30,000 prices per gigabyte, since not every type runs Windows or can be
 * reserved.
 * dense: more than three times as many, as a margin for what we do not know.
 */
export const productsPerType = { likely: 77, dense: 21 } as const

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
const isOurs = ({ operatingSystem, preInstalledSw, tenancy, capacitystatus }: Record<string, string>) =>
  /^(Linux|Windows) NA Shared Used$/.test(
    [operatingSystem, preInstalledSw, tenancy, capacitystatus].join(' '),
  )
const ours = kinds.filter(isOurs)
const others = kinds.filter((kind) => !isOurs(kind))

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

/** Generates a region's price list of about this many bytes, with the structure and indentation of a real one. */
export function* regionFile(bytes: number, perType: number): Generator<string> {
  const products = Math.ceil(bytes / bytesPerProduct)
  const oursAt = (n: number) => ours[n % perType]
  const sku = (n: number) => `${(n * 2_654_435_761).toString(36).toUpperCase().padStart(16, 'Q')}`
  const member = (n: number, value: unknown) =>
    `${n === 0 ? '' : ','}\n    ${JSON.stringify(sku(n))} : ${JSON.stringify(value, null, 2)}`
  yield '{\n  "formatVersion" : "v1.0",\n  "offerCode" : "AmazonEC2",\n  "publicationDate" : "2026-11-14T21:00:00Z",\n  "products" : {'
  for (let n = 0; n < products; n++) {
    const type = Math.floor(n / perType)
    const kind = oursAt(n) ?? others[n % others.length]!
    const attributes = instance('us-east-1', `m${type >> 4}.${type & 15}xlarge`, kind)
    yield member(n, productOf({ sku: sku(n), attributes }))
  }
  yield '\n  },\n  "terms" : {\n    "OnDemand" : {'
  for (let n = 0; n < products; n++) yield member(n, onDemandOf(sku(n), '0.1920000000'))
  yield '\n    },\n    "Reserved" : {'
  for (let n = 0; n < products; n++)
    if (n % 3 === 0 || oursAt(n)) yield member(n, reservedOf(sku(n), reserved))
  yield '\n    }\n  }\n}\n'
}
