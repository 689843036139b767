import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { HostFacts } from '../../providers/metadata/metadata-service.ts'
import { type Answer, listen } from '../receiver.case.ts'
import { detectMachine, findHostFacts } from './host-facts.ts'

type Service = (request: IncomingMessage) => Answer | undefined
const text = (body: string): Answer => ({ status: 200, body })
const notFound: Answer = { status: 404, body: 'not found' }

/** docs.aws.amazon.com/AWSEC2/latest/UserGuide: a call without a token is refused. */
const aws =
  (lifeCycle: string): Service =>
  ({ url, method, headers }) => {
    if (url === '/latest/api/token')
      return method === 'PUT' && headers['x-aws-ec2-metadata-token-ttl-seconds'] !== undefined
        ? text('AQAEALy3dnYq7Q-token==')
        : { status: 400 }
    if (headers['x-aws-ec2-metadata-token'] !== 'AQAEALy3dnYq7Q-token==') return { status: 401 }
    if (url === '/latest/meta-data/placement/availability-zone-id') return text('use1-az4')
    if (url === '/latest/meta-data/instance-life-cycle') return text(lifeCycle)
    if (url === '/latest/dynamic/instance-identity/document')
      return text(`{
  "accountId" : "123456789012",
  "architecture" : "x86_64",
  "availabilityZone" : "us-east-1a",
  "billingProducts" : null,
  "devpayProductCodes" : null,
  "marketplaceProductCodes" : null,
  "imageId" : "ami-0abcdef1234567890",
  "instanceId" : "i-1234567890abcdef0",
  "instanceType" : "m5.large",
  "kernelId" : null,
  "pendingTime" : "2026-03-18T18:59:23Z",
  "privateIp" : "10.158.112.84",
  "ramdiskId" : null,
  "region" : "us-east-1",
  "version" : "2017-09-30"
}`)
    return undefined
  }

/** learn.microsoft.com/azure/virtual-machines/instance-metadata-service, sample 1, shortened. */
const azure =
  (priority: string): Service =>
  ({ url, headers }) => {
    if (!url?.startsWith('/metadata/instance?api-version=')) return undefined
    if (headers.metadata !== 'true')
      return { status: 400, body: '{ "error": "Bad request. Required metadata header not specified" }' }
    return text(
      JSON.stringify({
        compute: {
          azEnvironment: 'AzurePublicCloud',
          location: 'westeurope',
          name: 'web-1',
          osType: 'Linux',
          priority,
          provider: 'Microsoft.Compute',
          sku: '20_04-lts',
          vmId: '02aab8a4-74ef-476e-8182-f6d2ba4166a6',
          vmSize: 'Standard_D4s_v5',
          zone: '2',
        },
        network: { interface: [] },
      }),
    )
  }

/** cloud.google.com/compute/docs/metadata/querying-metadata */
const gcp =
  (preemptible: string): Service =>
  ({ url, headers }) => {
    if (!url?.startsWith('/computeMetadata/')) return undefined
    if (headers['metadata-flavor'] !== 'Google') return { status: 403, body: 'Missing required header' }
    const answers: Record<string, string> = {
      'machine-type': 'projects/739419398126/machineTypes/n2-standard-4',
      zone: 'projects/739419398126/zones/europe-west1-b',
      'scheduling/preemptible': preemptible,
    }
    const answer = answers[url.replace('/computeMetadata/v1/instance/', '')]
    return answer === undefined ? undefined : text(answer)
  }

/** docs.digitalocean.com/reference/api/metadata/droplet-properties */
const digitalocean: Service = ({ url }) =>
  url === '/metadata/v1.json'
    ? text(
        JSON.stringify({
          droplet_id: 2756294,
          hostname: 'sample-droplet',
          vendor_data: '#cloud-config\n',
          public_keys: ['ssh-rsa AAAAB3NzaC1yc2EAAAADA'],
          region: 'nyc3',
          interfaces: { private: [], public: [] },
          floating_ip: { ipv4: { active: false } },
          dns: { nameservers: ['2001:4860:4860::8844'] },
          features: { dhcp_enabled: true },
        }),
      )
    : undefined

/** docs.hetzner.cloud, server metadata */
const hetzner =
  (zoneLine = 'availability-zone: hel1-dc2\n'): Service =>
  ({ url }) =>
    url === '/hetzner/v1/metadata'
      ? text(
          `${zoneLine}hostname: my-server\ninstance-id: 42\nlocal-ipv4: ''\npublic-ipv4: 1.2.3.4\npublic-keys: []\nregion: eu-central\nvendor_data: "Content-Type: multipart/mixed"\n`,
        )
      : undefined

/** docs.openstack.org/nova/latest/user/metadata.html */
const openstack =
  (flavor: string, zone: string): Service =>
  ({ url, method }) => {
    if (url === '/latest/api/token') return { status: method === 'PUT' ? 405 : 404 }
    if (url === '/latest/meta-data/instance-type') return text(flavor)
    if (url === '/openstack/latest/meta_data.json')
      return text(
        JSON.stringify({
          random_seed: 'yu5ZnkqF2CqnDZVAfZgarG...',
          availability_zone: zone,
          keys: [{ data: 'ssh-rsa AAAAB3NzaC1y...', type: 'ssh', name: 'mykey' }],
          hostname: 'test.novalocal',
          launch_index: 0,
          meta: {},
          devices: [],
          project_id: 'f7ac731cc11f40efbc03a9f9e1d1d21f',
          name: 'test',
          uuid: 'd8e02d56-2648-49a3-bf97-6be8f1204f38',
        }),
      )
    return undefined
  }

async function check(service: Service, expected: HostFacts | undefined) {
  const server = await listen((request) => service(request) ?? notFound)
  try {
    expect(await detectMachine({ endpoint: server.url, timeoutMs: 20_000 })).toEqual(expected)
  } finally {
    await server.close()
  }
}

/** The document of github.com/scaleway/scaleway-sdk-go, api/instance/v1/instance_metadata_sdk.go, shortened. */
const scaleway: Service = ({ url }) =>
  url === '/conf?format=json'
    ? text(
        JSON.stringify({
          id: '4a1a1b6e-0b8e-4c0e-8a57-2d0a3d1d7c11',
          name: 'web-1',
          commercial_type: 'PRO2-XS',
          location: { zone_id: 'nl-ams-1', platform_id: '30', hypervisor_id: '601' },
          tags: [],
        }),
      )
    : undefined

describe('answers of metadata services', () => {
  const onAws = { provider: 'aws', region: 'us-east-1', zone: 'use1-az4', instanceType: 'm5.large' }
  const onAzure = { provider: 'azure', region: 'westeurope', zone: '2', instanceType: 'Standard_D4s_v5' }
  const onGcp = {
    provider: 'gcp',
    region: 'europe-west1',
    zone: 'europe-west1-b',
    instanceType: 'n2-standard-4',
  }
  const rows: [string, Service, HostFacts | undefined][] = [
    ['AWS, on demand', aws('on-demand'), { ...onAws, usageType: 'ONDEMAND' }],
    ['AWS, spot', aws('spot'), { ...onAws, usageType: 'SPOT_PREEMPTIBLE' }],
    ['Azure', azure('Regular'), { ...onAzure, usageType: 'ONDEMAND' }],
    ['Azure, an older machine', azure(''), { ...onAzure, usageType: 'ONDEMAND' }],
    ['Azure, spot', azure('Spot'), { ...onAzure, usageType: 'SPOT_PREEMPTIBLE' }],
    ['GCP', gcp('FALSE'), { ...onGcp, usageType: 'ONDEMAND' }],
    ['GCP, spot', gcp('TRUE'), { ...onGcp, usageType: 'SPOT_PREEMPTIBLE' }],
    ['DigitalOcean', digitalocean, { provider: 'digitalocean', region: 'nyc3', usageType: 'ONDEMAND' }],
    ['Hetzner', hetzner(), { provider: 'hetzner', region: 'hel1', zone: 'hel1-dc2', usageType: 'ONDEMAND' }],
    ['Hetzner, from a snapshot', hetzner(''), { provider: 'hetzner', usageType: 'ONDEMAND' }],
    [
      'OVHcloud',
      openstack('b2-7', 'nova'),
      { provider: 'ovhcloud', zone: 'nova', instanceType: 'b2-7', usageType: 'ONDEMAND' },
    ],
    [
      'OVHcloud, a region with zones',
      openstack('b3-8', 'eu-west-par-a'),
      {
        provider: 'ovhcloud',
        region: 'EU-WEST-PAR',
        zone: 'eu-west-par-a',
        instanceType: 'b3-8',
        usageType: 'ONDEMAND',
      },
    ],
    [
      'Scaleway',
      scaleway,
      {
        provider: 'scaleway',
        region: 'nl-ams',
        zone: 'nl-ams-1',
        instanceType: 'PRO2-XS',
        usageType: 'ONDEMAND',
      },
    ],
    ['OpenStack of another provider', openstack('m1.small', 'nova'), undefined],
    ['nobody', () => undefined, undefined],
    ['a captive portal that answers every request', () => text('<html>Log in</html>'), undefined],
    ['one that redirects', () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }), undefined],
    ['JSON of another shape', () => text('[1, null, {"compute": 7}]'), undefined],
  ]
  test.each(rows)('%s', (_what, service, expected) => check(service, expected))

  test('a service that hangs is ignored after a time limit', async () => {
    const server = await listen(() => ({ status: 200, hang: true }))
    try {
      expect(await detectMachine({ endpoint: server.url, timeoutMs: 200 })).toBeUndefined()
    } finally {
      await server.close()
    }
  })

  test('a service that hangs on one request is recognised by its other answers', async () => {
    const server = await listen((request) =>
      request.url === '/hetzner/v1/metadata'
        ? { status: 200, hang: true }
        : (digitalocean(request) ?? notFound),
    )
    try {
      const found = await detectMachine({ endpoint: server.url, timeoutMs: 10_000 })
      expect(found?.provider).toBe('digitalocean')
    } finally {
      await server.close()
    }
  })
})

describe('the facts of this machine', () => {
  const withAws = async (given: HostFacts) => {
    const server = await listen((request) => aws('spot')(request) ?? notFound)
    try {
      return await findHostFacts({ given, endpoint: server.url, timeoutMs: 20_000 })
    } finally {
      await server.close()
    }
  }

  test('facts given by the user override others', async () =>
    expect(await withAws({ usageType: 'RESERVED' })).toMatchObject({
      provider: 'aws',
      instanceType: 'm5.large',
      usageType: 'RESERVED',
    }))

  test('if the user gives another provider, facts of the detected one are ignored', async () => {
    const facts = await withAws({ provider: 'hetzner', instanceType: 'cx23' })
    expect(facts).toMatchObject({ provider: 'hetzner', instanceType: 'cx23' })
    expect(facts.region).toBeUndefined()
  })

  test('no metadata service is queried if all facts are given, or offline', async () => {
    let asked = 0
    const server = await listen(() => {
      asked++
      return notFound
    })
    const all = { provider: 'a', region: 'b', zone: 'c', instanceType: 'd', usageType: 'ONDEMAND' } as const
    await findHostFacts({ given: all, endpoint: server.url })
    await findHostFacts({ given: {}, endpoint: server.url, offline: true })
    await server.close()
    expect(asked).toBe(0)
  })
})
