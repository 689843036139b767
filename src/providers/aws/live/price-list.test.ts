import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { startFake } from '../../fetching/fake-server.case.ts'
import { Sources } from '../../fetching/http/sources.ts'
import { fakeAws, instance, productOf } from '../fake-api.case.ts'
import { awsListings } from '../fake-catalogue.case.ts'
import { readPriceList } from './price-list.ts'
import { readSavingsPlans } from './savings-plans.ts'

/** Reads both files of a region from a fake. */
async function check(termsFirst: boolean) {
  const server = await startFake(fakeAws({ ...awsListings, termsFirst }))
  const sources = new Sources()
  const list = await readPriceList(
    sources,
    `${server.url}/offers/v1.0/aws/AmazonEC2/current/us-east-1/index.json`,
    'us-east-1',
  )
  const plans = await readSavingsPlans(
    sources,
    `${server.url}/savingsPlan/v1.0/aws/AWSComputeSavingsPlan/1/us-east-1/index.json`,
    'us-east-1',
  )
  const asked = server.asked.length
  await server.close()
  if (typeof list === 'symbol' || typeof plans === 'symbol') throw new Error('not modified')
  return { list, plans, asked }
}

test('terms that precede products are read in a second pass, with the same prices', async () => {
  const usual = await check(false)
  const turned = await check(true)
  expect(usual.asked).toBe(2)
  expect(turned.asked).toBe(4)
  expect([...turned.list.prices]).toEqual([...usual.list.prices])
  expect(turned.list.dropped).toEqual(usual.list.dropped)
  expect([...turned.plans.prices]).toEqual([...usual.plans.prices])
})

test('skipped products are counted by reason', async () => {
  const { list } = await check(false)
  expect(Object.fromEntries(list.dropped.map(({ reason, rows }) => [reason, rows]))).toEqual({
    'in a local or wavelength zone': 1,
    'of another market': 1,
    'operating system with a licence of its own': 1,
    'with a licence to be brought along': 1,
    'with software pre-installed': 1,
  })
  expect(new Set([...list.prices].map(({ source }) => source))).toEqual(
    new Set([
      'AWS Price List',
      'AWS Price List, reserved, no upfront',
      'AWS Price List, reserved, all upfront',
    ]),
  )
})

test('a large download that breaks off every time is reported as truncated', async () => {
  const product = JSON.stringify(productOf({ sku: 'A', attributes: instance('us-east-1', 'm5.xlarge') }))
  let asked = 0
  const server = createServer((_, response) => {
    asked++
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000_000_000 })
    response.write('{"products":{')
    response.write(Array.from({ length: 5_000 }, (_, n) => `"SKU${n}":${product},`).join(''), () =>
      response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/index.json`
  const sources = new Sources({ pause: async () => undefined })
  await expect(readPriceList(sources, url, 'us-east-1')).rejects.toMatchObject({ code: 'truncated' })
  expect(asked).toBe(5)
  server.close()
})
