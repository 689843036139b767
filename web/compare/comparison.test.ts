import { expect, test } from 'vitest'
import { comparisonOf, regionOf, requestOf, type TypeDetails } from './comparison.ts'
import { curlOf } from './curl.ts'

const size = { cores: 4, gib: 16 }
const asked = (query: string) => requestOf(comparisonOf(new URLSearchParams(query)), size)

test.each<[string, object]>([
  ['provider=p&type=t&region=r', { provider: 'p', region: 'r', instance_type: 't', usage_type: 'ONDEMAND' }],
  ['provider=p&type=t&region=r&cores=1.5&ram=0', { usage: { cpu_cores: 1.5, ram_gb: 0 } }],
  ['provider=p&type=t&region=r&cores=99', { usage: { cpu_cores: 4, ram_gb: 16 } }],
  ['provider=p&type=t&region=r&anywhere=1', { anywhere: true }],
  ['vcpus=4&gib=16', { provider: 'base', instance_type: '', vm: { cpu_cores: 4, ram_gb: 16 } }],
  [
    'provider=p&type=t&region=r&in-region=a&in-region=b&in-arch=arm64',
    { predicates: { regions: ['a', 'b'], architectures: ['arm64'], providers: [] } },
  ],
])('%s', (query, request) => {
  expect(asked(query)).toMatchObject(request)
})

test('without measured usage, the request has no usage, and the service assumes the whole machine', () => {
  const body = asked('provider=p&type=t&region=r&cores=-1&ram=x')!
  expect(body).not.toHaveProperty('usage')
  expect(body).not.toHaveProperty('vm')
  expect(body).not.toHaveProperty('anywhere')
})

test.each(['', 'provider=p', 'provider=p&type=t'])(
  'no request is made while something is missing: %s',
  (query) => {
    expect(asked(query)).toBeUndefined()
  },
)

test('a type without a region gets the region of its listed price', () => {
  const price = (
    region: string,
    cost_per_hour: number,
    operating_system = 'Linux',
    usage_type = 'ONDEMAND',
  ) => ({
    region,
    operating_system,
    usage_type,
    term: null,
    cost_per_hour,
    day: null,
  })
  const found = {
    regions: ['af-south-1', 'us-east-1', 'us-west-2'],
    prices: [
      price('af-south-1', 0.25),
      price('af-south-1', 0.01, 'Linux', 'SPOT_PREEMPTIBLE'),
      price('us-east-1', 0.192),
      price('us-west-2', 0.192),
      price('us-west-2', 0.1, 'Windows'),
    ],
  } as unknown as TypeDetails
  const region = (query: string) => regionOf(comparisonOf(new URLSearchParams(query)), found)
  expect(region('')).toBe('us-east-1')
  expect(region('os=Windows')).toBe('us-west-2')
  expect(region('paid=SPOT_PREEMPTIBLE')).toBe('af-south-1')
  expect(region('paid=RESERVED')).toBe('af-south-1')
  expect(region('region=us-west-2')).toBe('us-west-2')
})

test('a quote in a value does not end the command', () => {
  expect(curlOf('http://h', '/p', { name: "it's" })).toContain(`"it'\\''s"`)
})
