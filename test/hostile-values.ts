import { series } from './usage-cluster.ts'

// Values that a caller should not send, for tests.

export const hourMs = 3_600_000
export const hour = Math.floor(Date.now() / hourMs) * hourMs - hourMs

/** Usage with odd names and values, so that every endpoint has data to return. */
export function oddUsage() {
  const names = ['plain', 'a\nb', 'a\0b', '__proto__', 'x'.repeat(200), '\u{1F9C0}', '..', '"', 'a~1b']
  const values = [1, 1e308, -1e308, Number.POSITIVE_INFINITY, Number.NaN, -1, 5e-324, 2 ** 53]
  return names.flatMap((name) =>
    values.flatMap((value, index) => {
      const container = { cluster: 'x', namespace: name, pod: `p${index}`, container: 'c' }
      const process = { vm: name, process: `p${index}`, process_group: 'system', cgroup: '/x' }
      const at = (read: (minute: number) => number) =>
        [0, 10, 20, 30, 50].map((minute) => ({ timeMs: hour + minute * 60_000, value: read(minute) }))
      return [
        series('container_cpu_usage_seconds_total', container, ...at((minute) => minute * value)),
        series('container_memory_working_set_bytes', container, ...at(() => value)),
        series('kube_pod_container_resource_requests', { ...container, resource: 'cpu' }, ...at(() => value)),
        series('cheapside_process_cpu_seconds_total', process, ...at((minute) => minute * value)),
        series('cheapside_process_memory_bytes', process, ...at(() => value)),
      ]
    }),
  )
}

export const json = { 'content-type': 'application/json' }
export const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
export const entry = { cost_per_hour: 1, cpu_cores: 1, ram_gb: 1, instance_type: 'a', region: 'r' }

export const texts = [
  '',
  '%00',
  '%0a',
  '%7f',
  '%ED%A0%80',
  '%ff',
  '%',
  '%zz',
  '%C3%28',
  '__proto__',
  'constructor',
  'toString',
  '..',
  '%2e%2e%2f',
  'x'.repeat(5000),
  '%F0%9F%A7%80',
  "';--",
  '%25',
  '{}',
  '[]',
  '-1',
  'NaN',
  'Infinity',
  '1e308',
  '1e999',
  '-0',
  '0x10',
  '9007199254740993',
  '1.5',
  'null',
  'true',
  '0000-01-01T00:00:00Z',
  '0000-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59-23:59',
  '300000-01-01T00:00:00Z',
  '+300000-01-01T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '2026-13-45T99:99:99Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T00:00:00%2B99:99',
  '2026-01-01T00:00:00%2B00:00',
  // Forged cursors: null, 5, [], [1], ["a"], ["a","b"], seven names, half a pair, an unterminated list.
  ...[
    'null',
    '5',
    '[]',
    '[1]',
    '["a"]',
    '["a","b"]',
    '["a",null]',
    '["1","2","3","4","5","6","7"]',
    '["\\ud800","\\ud800"]',
    '["\\u0000"]',
    '["a","p\\u0000a\\u0000"]',
    '{"length":2}',
    nested(2000),
  ].map((text) => Buffer.from(text).toString('base64url')),
]

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
}
export const usual: Record<string, string> = {
  start_date: new Date(hour).toISOString(),
  end_date: new Date(hour + hourMs).toISOString(),
  provider: 'aws',
  region: 'us-east-1',
  instance_type: 'm5.large',
}

export const values = [
  'null',
  'true',
  '""',
  '[]',
  '{}',
  '0',
  '-1',
  '1e308',
  '-1e308',
  '1e999',
  '5e-324',
  '-0',
  '"x"',
  '"\\ud800"',
  '"\\u0000"',
  '{"toString":null,"valueOf":null}',
  '{"length":-1}',
  '[null]',
  '[[]]',
  '[{"toString":null}]',
  nested(64),
  '"1e999"',
  '9007199254740993',
  '"9999-12-31T23:59:59-23:59"',
  JSON.stringify('x'.repeat(70_000)),
]
export const bodies: Record<string, Record<string, unknown>> = {
  '/recommendations': {
    provider: 'aws',
    region: 'us-east-1',
    instance_type: 'm5.large',
    operating_system: 'Linux',
    usage_type: 'ONDEMAND',
    availability_zone: '',
    service: '',
    vm: { cpu_cores: 2, ram_gb: 8 },
    usage: { cpu_cores: 1, ram_gb: 4 },
    predicates: {
      regions: ['us-east-1'],
      providers: ['aws'],
      instance_types: [],
      usage_types: [],
      architectures: [],
      availability_zones: [],
    },
    include_metadata: true,
    fallback_to_base_pricing: true,
    target_utilisation: { cpu: 0.8, ram: 0.8 },
    limit: 5,
    offers_per_type: 2,
  },
  '/pricing': {
    provider: 'nobody',
    region: 'nowhere',
    instance_type: 'none',
    operating_system: 'Linux',
    usage_type: 'ONDEMAND',
    availability_zone: '',
    service: '',
    vm: { cpu_cores: 2, ram_gb: 8 },
    include_metadata: true,
    fallback_to_base_pricing: true,
  },
  '/marketplace/providers': {
    name: 'mine',
    entries: [
      {
        ...entry,
        usage_type: 'ONDEMAND',
        provider: 'x',
        service: 'y',
        operating_system: 'Linux',
        availability_zone: 'z',
        raw_pricing_data: { a: 1 },
      },
    ],
  },
  '/admin/keys': {
    organisation: 'acme',
    name: 'k',
    scopes: ['pricing:read'],
    expires_at: '2999-01-01T00:00:00Z',
  },
  '/admin/organisations/acme/sizing_profile': { profile: 'cost', risk: 0.5 },
  '/admin/organisations/acme/sizing_rules': {
    rules: [
      {
        cluster: 'prod-*',
        namespace: 'shop',
        limits: 'none',
        min_cpu: 0.1,
        max_cpu: 8,
        min_memory: 0.1,
        max_memory: 64,
        cpu_memory_ratio: '1-6.5',
      },
    ],
  },
}
