import { afterAll, beforeAll, expect, test } from 'vitest'
import { orProblem } from '../../domain/not-found.ts'
import { openTestMarket, type TestMarket } from '../test-market.case.ts'
import { completeRequest, type PartialRequest } from './complete-request.ts'

let fixture: TestMarket
beforeAll(async () => {
  fixture = await openTestMarket()
})
afterAll(() => fixture.close())

const m5: PartialRequest = { provider: 'aws', region: 'us-east-1', instance_type: 'm5.xlarge' }
const complete = (over: Partial<PartialRequest> = {}) =>
  completeRequest(fixture.pricing, 'acme', { ...m5, ...over }).then(orProblem)

test.each<[string, Partial<PartialRequest>, object]>([
  ['the type tells the size', {}, { vm: { cpu_cores: 4, ram_gb: 16 }, usage: { cpu_cores: 4, ram_gb: 16 } }],
  ['usage as far as it is told', { usage: { cpu_cores: 1.5 } }, { usage: { cpu_cores: 1.5, ram_gb: 16 } }],
  ['a size that is told rules', { vm: { cpu_cores: 2, ram_gb: 4 } }, { vm: { cpu_cores: 2, ram_gb: 4 } }],
  [
    'the rest',
    {},
    { operating_system: 'Linux', usage_type: 'ONDEMAND', predicates: {}, service: '', availability_zone: '' },
  ],
  ['what is told stays', { usage_type: 'spot', limit: 3 }, { usage_type: 'spot', limit: 3 }],
])('%s', async (_, over, expected) => {
  expect(await complete(over)).toMatchObject(expected)
})

test('an unknown size or type is reported', async () => {
  await expect(complete({ instance_type: 'x.unknown' })).rejects.toMatchObject({
    errors: [{ pointer: '/vm' }],
  })
  await expect(complete({ instance_type: 'm5.xlarg' })).rejects.toMatchObject({
    code: 'unknown-instance-type',
  })
})
