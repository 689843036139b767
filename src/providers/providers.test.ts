import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findProvider, foldName, isServiceOf, providers } from './providers.ts'

const provider = (key: string) => findProvider(key) ?? expect.fail(`no provider ${key}`)

describe('the list', () => {
  test('shows six clouds and base unless more are turned on', () => {
    const shown = providers.filter((one) => one.onByDefault)
    expect(shown.map((one) => [one.key, one.displayName, one.service])).toEqual([
      ['aws', 'AWS', 'AmazonEC2'],
      ['azure', 'Azure', 'AzureCompute'],
      ['gcp', 'GCP', 'ComputeEngine'],
      ['digitalocean', 'DigitalOcean', 'Droplet'],
      ['hetzner', 'Hetzner', 'HetznerCompute'],
      ['ovhcloud', 'OVHCloud', 'OVHPublicCloud'],
      ['base', 'Base', 'BaseCompute'],
    ])
  })

  test('no name belongs to two providers', () => {
    const owners = new Map<string, string>()
    for (const one of providers)
      for (const name of new Set([one.key, one.displayName, ...one.aliases].map(foldName))) {
        expect(owners.get(name), name).toBeUndefined()
        owners.set(name, one.key)
      }
  })
})

test('names are found in any case and with anything between the words', () => {
  const check = (key: string, names: string[]) => {
    for (const name of names) expect(findProvider(name)?.key, name).toBe(key)
  }
  check('aws', [
    'aws',
    'AWS',
    'amazon',
    'Amazon Web Services',
    'amazon-web-services',
    ' Amazon_Web_Services ',
  ])
  check('azure', ['azure', 'Azure', 'microsoft', 'Microsoft Azure'])
  check('gcp', ['GCP', 'google', 'Google Cloud', 'google-cloud', 'Google Cloud Platform'])
  check('digitalocean', ['do', 'DO', 'Digital Ocean', 'DigitalOcean'])
  check('ovhcloud', ['ovh', 'OVHcloud', 'OVH Cloud'])
  check('base', ['base', 'Base'])
  for (const name of ['', ' ', '-', 'oracle', '__proto__', 'constructor', 'aw'])
    expect(findProvider(name), name).toBeUndefined()
})

test('services are found in any case and with anything between the words', () => {
  for (const name of ['AmazonEC2', 'ec2', 'Amazon EC2', 'amazon-ec2'])
    expect(isServiceOf(provider('aws'), name)).toBe(true)
  for (const name of ['ComputeEngine', 'compute engine', 'GCE'])
    expect(isServiceOf(provider('gcp'), name)).toBe(true)
  for (const name of ['Droplet', 'droplets']) expect(isServiceOf(provider('digitalocean'), name)).toBe(true)
  for (const name of ['', 'ec2', 'nonsense']) expect(isServiceOf(provider('gcp'), name)).toBe(false)
})

test('a zone lies in its region', () => {
  const check = (key: string, region: string, inside: string[], outside: string[]) => {
    for (const zone of inside)
      expect(provider(key).isZoneInRegion(zone, region), `${zone} in ${region}`).toBe(true)
    for (const zone of outside)
      expect(provider(key).isZoneInRegion(zone, region), `${zone} in ${region}`).toBe(false)
  }
  check(
    'aws',
    'us-east-1',
    ['us-east-1a', 'US-EAST-1F', 'use1-az1', 'use1-atl2-az1', 'us-east-1-bos-1a'],
    ['us-east-2a', 'use2-az1', 'us-east-10a', 'usw1-az1', '', '1'],
  )
  check(
    'aws',
    'ap-southeast-1',
    ['apse1-az2', 'ap-southeast-1b'],
    ['aps1-az1', 'apse2-az1', 'ap-southeast-2a'],
  )
  check('aws', 'ap-south-1', ['aps1-az1'], ['apse1-az1'])
  check('aws', 'us-gov-west-1', ['usgw1-az1', 'us-gov-west-1a'], ['usw1-az1', 'us-west-1a'])
  check('aws', 'us-west-2', ['usw2-lax1-az1', 'us-west-2-lax-1a', 'usw2-wl1-las-wlz1'], ['us-west-1a'])
  check('aws', 'me-central-1', ['mec1-az1'], ['mes1-az1'])
  check('azure', 'eastus', ['1', '2', '3', 'eastus-1', 'EastUS-3'], ['4', '0', 'eastus2-1', 'westus-1', ''])
  check(
    'gcp',
    'us-central1',
    ['us-central1-a', 'us-central1-f', 'us-central1-ai1a'],
    ['us-central2-a', 'us-central1-', ''],
  )
  check('gcp', 'europe-west1', ['europe-west1-b'], ['europe-west10-b', 'europe-west12-a'])
  check('hetzner', 'fsn1', ['fsn1-dc14', 'fsn1', 'FSN1-DC8'], ['nbg1-dc3', 'fsn1-x', 'fsn1-dc1-2', ''])
  check('digitalocean', 'nyc3', ['nyc3', 'NYC3'], ['nyc1', ''])
  check('ovhcloud', 'GRA11', ['gra11', 'nova'], ['GRA9', ''])
  check('scaleway', 'fr-par', ['fr-par-1', 'fr-par'], ['nl-ams-1', ''])
})

test('a family shares core and GiB rates', () => {
  const check = (key: string, rows: Record<string, string>) => {
    for (const [type, family] of Object.entries(rows)) expect(provider(key).familyOf(type), type).toBe(family)
  }
  check('aws', {
    'm5.xlarge': 'm5',
    'c8id.metal-48xl': 'c8id',
    'u-6tb1.56xlarge': 'u-6tb1',
    't3.micro': '',
    nonsense: '',
  })
  check('azure', {
    Standard_D4s_v5: 'Ds_v5',
    Standard_D64s_v5: 'Ds_v5',
    Standard_NC24ads_A100_v4: 'NCads_A100_v4',
    Standard_M176s_3_v3: 'Ms_3_v3',
    'Standard_D64-16s_v3': '',
    'Standard_M24s-12_v3': '',
    Basic_A2: 'Basic_A',
    Standard_A2: 'A',
    Standard_B2ms: '',
    nonsense: '',
  })
  check('gcp', {
    'n2-standard-4': 'n2',
    'n2-highmem-8': 'n2',
    'n2-highcpu-96': 'n2',
    'n2-custom-4-10240': 'n2',
    'custom-4-10240': 'n1',
    'n1-ultramem-40': 'm1',
    'c3-highcpu-192-metal': 'c3-metal',
    'c3-standard-8-lssd': '',
    'z3-highmem-88-highlssd': '',
    'e2-standard-2': 'e2',
    'e2-micro': '',
    'f1-micro': '',
    'a2-highgpu-1g': '',
    'g2-standard-4': '',
    'm3-ultramem-32': 'm3',
    'm4-ultramem-56': 'm4-ultramem',
    nonsense: '',
  })
})

test('burstable baselines, per vCPU', () => {
  const check = (key: string, rows: Record<string, number | null>) => {
    for (const [type, share] of Object.entries(rows))
      expect(provider(key).burstableBaselineOf(type), type).toBe(share)
  }
  check('aws', {
    't2.nano': 0.05,
    't2.2xlarge': 0.17,
    't3.micro': 0.1,
    't3a.xlarge': 0.4,
    't4g.large': 0.3,
    'T3.MICRO': 0.1,
    'm5.large': null,
    't1.micro': null,
  })
  check('azure', {
    Standard_B1ls: 0.05,
    Standard_B2ms: 0.3,
    Standard_B4ms: 0.225,
    Standard_B2ts_v2: 0.2,
    Standard_B8als_v2: 0.3,
    Standard_B16ps_v2: 0.4,
    Standard_D2s_v5: null,
  })
  check('gcp', {
    'e2-micro': 0.125,
    'e2-small': 0.25,
    'e2-medium': 0.5,
    'f1-micro': 0.2,
    'g1-small': 0.5,
    'e2-standard-2': null,
    constructor: null,
  })
})

describe('custom types', () => {
  const parse = (type: string) => provider('gcp').customType?.(type) ?? null
  test('the size is in the name', () => {
    expect(parse('n2-custom-4-10240')).toEqual({
      family: 'n2',
      customFamily: 'n2-custom',
      vcpus: 4,
      ramGib: 10,
    })
    expect(parse('custom-4-10240')).toEqual({ family: 'n1', customFamily: 'n1-custom', vcpus: 4, ramGib: 10 })
    expect(parse('n1-custom-1-3840')).toEqual({
      family: 'n1',
      customFamily: 'n1-custom',
      vcpus: 1,
      ramGib: 3.75,
    })
    expect(parse('N2D-custom-2-20480-ext')).toEqual({
      family: 'n2d',
      customFamily: 'n2d-custom',
      vcpus: 2,
      ramGib: 20,
    })
    expect(parse('e2-custom-2-1024')).toEqual({
      family: 'e2',
      customFamily: 'e2-custom',
      vcpus: 2,
      ramGib: 1,
    })
  })
  test.each([
    ['n2-custom-4-10241', 'the memory, in MiB, must be a multiple of 256'],
    ['n2-custom-3-10240', 'the number of vCPUs must be even'],
    ['n1-custom-3-10240', 'the number of vCPUs must be 1 or even'],
    ['n2-custom-0-1024', 'custom types of n2 have 2 to 128 vCPUs'],
    ['n2-custom-256-262144', 'custom types of n2 have 2 to 128 vCPUs'],
    ['n2-custom-2-20480', 'with 2 vCPUs the memory must be 1024 to 16384 MiB, or more with -ext'],
    ['n2-custom-4-1024', 'with 4 vCPUs the memory must be 2048 to 32768 MiB'],
    ['e2-custom-2-20480', 'with 2 vCPUs the memory must be 1024 to 16384 MiB'],
    ['e2-custom-2-20480-ext', 'e2 has no extended memory (-ext)'],
    ['c3-custom-4-10240', 'custom types are of n1, e2, n2, n2d, n4, n4d, n4a, not of c3'],
    ['n2-custom-4', undefined],
    ['n2-custom-4-10240-', undefined],
    ['xn2-custom-4-10240', undefined],
    ['n2-standard-4', undefined],
    ['n2-custom--4-10240', undefined],
    ['n2-custom-4-1e5', undefined],
  ])('a type that cannot be ordered is not a custom type: %s', (type, wrong) => {
    expect(parse(type)).toBeNull()
    expect(provider('gcp').wrongWithCustomType?.(type)).toBe(wrong)
  })
})

test('no declaration throws or returns invalid values for any input', () => {
  fc.assert(
    fc.property(fc.constantFrom(...providers), fc.string(), fc.string(), (one, a, b) => {
      expect(typeof one.isZoneInRegion(a, b)).toBe('boolean')
      expect(typeof one.familyOf(a)).toBe('string')
      const share = one.burstableBaselineOf(a)
      expect(share === null || (share > 0 && share <= 1)).toBe(true)
      expect(one.customType?.(a) ?? null).toSatisfy((custom) => custom === null || custom.vcpus > 0)
    }),
  )
})

test.each([
  ['NC6s_v3', 'Standard_NC6s_v3'],
  ['D4s v5', 'Standard_D4s_v5'],
  ['Standard D4s v5', 'Standard_D4s_v5'],
  ['standard-d4s-v5', 'standard_d4s_v5'],
  ['A0', 'Standard_A0'],
  ['E16-4s_v5', 'Standard_E16-4s_v5'],
])('%s may be %s', (short, full) => {
  expect(findProvider('azure')!.otherTypeNames!(short)[0]).toBe(full)
})
