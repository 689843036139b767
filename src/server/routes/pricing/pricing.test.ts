import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packChanges } from '../../../catalogue/refresh/price-changes.ts'
import { Problem } from '../../../domain/problem.ts'
import { openTestMarket, type TestMarket } from '../../../pricing/test-market.case.ts'
import { compileValidator } from '../../requests/validation.ts'
import type { Server } from '../../server.ts'
import { testKey } from '../../small-server.case.ts'
import { pricingHistoryRoutes } from './pricing.ts'

const now = Date.parse('2026-11-15T06:00:00Z')
let fixture: TestMarket
let server: Server

beforeAll(async () => {
  fixture = await openTestMarket()
  const packed = packChanges([
    { region: 'us-east-1', zone: '', operatingSystem: 'Linux', term: '', before: 0.2, after: 0.192 },
  ])
  const change = {
    provider: 'aws',
    instanceType: 'm5.xlarge',
    usageType: 'ONDEMAND',
    at: now - 1000,
    packed,
  } as const
  await fixture.store.prices.publish({ id: 'a', publishedAt: now, bytes: Uint8Array.of(1) }, null, [change])
  server = Fastify() as unknown as Server
  server.setValidatorCompiler(compileValidator)
  server.decorateRequest('caller', null as never)
  server.addHook('onRequest', async (request) => {
    request.caller = testKey
  })
  server.setErrorHandler((error, _, reply) =>
    error instanceof Problem
      ? reply.code(error.status).send({ code: error.code, errors: error.errors })
      : reply.code(422).send({ code: 'invalid', errors: [] }),
  )
  pricingHistoryRoutes({
    ...fixture.pricing,
    store: fixture.store,
    manifest: () => ({ builtAt: '', exchange: null, providers: [] }),
    now: () => now,
  })(server)
})
afterAll(async () => {
  await server.close()
  await fixture.close()
})

const get = (query: string) => server.inject({ method: 'GET', url: `/pricing/history?${query}` })

test('returns how the price of an instance changed', async () => {
  const answer = await get(
    'provider=aws&region=us-east-1&instance_type=m5.xlarge&usage_type=ondemand&operating_system=Linux',
  )
  expect(answer.statusCode).toBe(200)
  expect(answer.json().series).toEqual([
    {
      usage_type: 'ONDEMAND',
      term: '',
      availability_zone: '',
      operating_system: 'Linux',
      cost_per_hour: 0.192,
      points: [
        { from: '2026-08-17T06:00:00.000Z', cost_per_hour: 0.2 },
        { from: '2026-11-15T05:59:59.000Z', cost_per_hour: 0.192 },
      ],
    },
  ])
})

test('reports what is missing, wrong or unknown', async () => {
  expect((await get('provider=aws&region=us-east-1')).statusCode).toBe(422)
  expect(
    (await get('provider=aws&region=us-east-1&instance_type=m5.xlarge&start_date=x')).json(),
  ).toMatchObject({
    code: 'invalid',
    errors: [{ pointer: '?start_date' }],
  })
  expect((await get('provider=aws&region=us-east-1&instance_type=m5.xlarg')).json()).toMatchObject({
    code: 'unknown-instance-type',
  })
})
