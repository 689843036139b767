import { expect, test } from 'vitest'
import { comparisonOf, largerRequest, requestOf } from './comparison.ts'
import { curlOf } from './curl.ts'

const size = { cores: 4, gib: 16 }
const asked = (query: string) => requestOf(comparisonOf(new URLSearchParams(query)), size)

test.each<[string, object]>([
  ['provider=p&type=t&region=r', { vm: { cpu_cores: 4, ram_gb: 16 }, usage: { cpu_cores: 4, ram_gb: 16 } }],
  ['provider=p&type=t&region=r&cores=1.5&ram=0', { usage: { cpu_cores: 1.5, ram_gb: 0 } }],
  ['provider=p&type=t&region=r&cores=99', { usage: { cpu_cores: 4, ram_gb: 16 } }],
  ['provider=p&type=t&region=r&cores=-1&ram=x', { usage: { cpu_cores: 4, ram_gb: 16 } }],
  ['vcpus=4&gib=16', { provider: 'base', instance_type: '', usage_type: 'ONDEMAND' }],
  [
    'provider=p&type=t&region=r&in-region=a&in-region=b&in-arch=arm64',
    { predicates: { regions: ['a', 'b'], architectures: ['arm64'], providers: [], usage_types: [] } },
  ],
])('%s', (query, request) => {
  expect(asked(query)).toMatchObject(request)
})

test.each(['', 'provider=p', 'provider=p&type=t'])(
  'nothing is asked while something is missing: %s',
  (query) => {
    expect(asked(query)).toBeUndefined()
  },
)

test('a larger machine is asked for in one direction', () => {
  const body = asked('provider=p&type=t&region=r&cores=1&ram=8')!
  expect(largerRequest(body, 4, 'cores').usage).toEqual({ cpu_cores: 4, ram_gb: 8 })
  expect(largerRequest(body, 4, 'memory').usage).toEqual({ cpu_cores: 1, ram_gb: 32 })
})

test('a quote does not end the command', () => {
  expect(curlOf('http://h', '/p', { name: "it's" })).toContain(`"it'\\''s"`)
})
