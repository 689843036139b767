import { linkLocal, type MetadataService, parseObject, textIn, withoutUndefined } from './metadata-service.ts'

/**
 * Version 2 of the instance metadata service, which first requires a token that no other cloud issues.
 * docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-categories.html. The name of a zone means a different data
 * centre in each account, so its id is reported.
 */
export const awsMetadata: MetadataService = {
  provider: 'aws',
  endpoint: linkLocal,
  async detect(ask) {
    const token = await ask({
      path: '/latest/api/token',
      method: 'PUT',
      headers: { 'X-aws-ec2-metadata-token-ttl-seconds': '60' },
    })
    if (token === undefined) return undefined
    const headers = { 'X-aws-ec2-metadata-token': token.trim() }
    const [text, zoneId, lifeCycle] = await Promise.all([
      ask({ path: '/latest/dynamic/instance-identity/document', headers }),
      ask({ path: '/latest/meta-data/placement/availability-zone-id', headers }),
      ask({ path: '/latest/meta-data/instance-life-cycle', headers }),
    ])
    const document = parseObject(text)
    const instanceType = textIn(document, 'instanceType')
    if (instanceType === undefined) return undefined
    return withoutUndefined({
      provider: 'aws',
      region: textIn(document, 'region'),
      zone: zoneId?.trim() || textIn(document, 'availabilityZone'),
      instanceType,
      usageType: lifeCycle?.trim() === 'spot' ? 'SPOT_PREEMPTIBLE' : 'ONDEMAND',
    })
  },
}

/** learn.microsoft.com/azure/virtual-machines/instance-metadata-service; priority is empty, Regular, Low or Spot. */
export const azureMetadata: MetadataService = {
  provider: 'azure',
  endpoint: linkLocal,
  async detect(ask) {
    const text = await ask({
      path: '/metadata/instance?api-version=2021-02-01',
      headers: { Metadata: 'true' },
    })
    const compute = parseObject(text)?.compute as Record<string, unknown> | undefined
    const instanceType = textIn(compute, 'vmSize')
    if (instanceType === undefined) return undefined
    return withoutUndefined({
      provider: 'azure',
      region: textIn(compute, 'location'),
      zone: textIn(compute, 'zone'),
      instanceType,
      usageType: /^(spot|low)$/i.test(textIn(compute, 'priority') ?? '') ? 'SPOT_PREEMPTIBLE' : 'ONDEMAND',
    })
  },
}

/**
 * cloud.google.com/compute/docs/metadata/predefined-metadata-keys. Zone and type are the last part of a path:
 * projects/123/zones/europe-west1-b. Spot machines count as preemptible.
 */
export const gcpMetadata: MetadataService = {
  provider: 'gcp',
  endpoint: linkLocal,
  async detect(ask) {
    const headers = { 'Metadata-Flavor': 'Google' }
    const [type, zonePath, preemptible] = await Promise.all(
      ['machine-type', 'zone', 'scheduling/preemptible'].map((name) =>
        ask({ path: `/computeMetadata/v1/instance/${name}`, headers }),
      ),
    )
    const instanceType = lastPart(type)
    const zone = lastPart(zonePath)
    if (instanceType === undefined || zone === undefined) return undefined
    return withoutUndefined({
      provider: 'gcp',
      region: zone.replace(/-[a-z]$/, ''),
      zone,
      instanceType,
      usageType: /^true$/i.test(preemptible?.trim() ?? '') ? 'SPOT_PREEMPTIBLE' : 'ONDEMAND',
    })
  },
}

const lastPart = (path: string | undefined): string | undefined =>
  path === undefined || !path.startsWith('projects/') ? undefined : path.trim().split('/').at(-1)

/** docs.digitalocean.com/reference/api/metadata. It does not report the droplet's size (github.com/digitalocean/api-v2/issues/182). */
export const digitaloceanMetadata: MetadataService = {
  provider: 'digitalocean',
  endpoint: linkLocal,
  async detect(ask) {
    const droplet = parseObject(await ask({ path: '/metadata/v1.json' }))
    if (typeof droplet?.droplet_id !== 'number') return undefined
    return withoutUndefined({
      provider: 'digitalocean',
      region: textIn(droplet, 'region'),
      usageType: 'ONDEMAND',
    })
  },
}

/**
 * docs.hetzner.cloud: YAML of plain `name: value` lines. The zone is a data centre such as fsn1-dc14, and is absent on
 * servers created from a snapshot (github.com/hetznercloud/hcloud-go/issues/192). Prices are per location, which is the
 * first part of the zone, not what the service calls region (eu-central). The type of the server is not reported.
 */
export const hetznerMetadata: MetadataService = {
  provider: 'hetzner',
  endpoint: linkLocal,
  async detect(ask) {
    const text = await ask({ path: '/hetzner/v1/metadata' })
    if (text === undefined || lineOf(text, 'instance-id') === undefined) return undefined
    const zone = lineOf(text, 'availability-zone')
    return withoutUndefined({ provider: 'hetzner', region: zone?.split('-')[0], zone, usageType: 'ONDEMAND' })
  },
}

const lineOf = (yaml: string, name: string): string | undefined =>
  new RegExp(`^${name}:\\s*["']?([^"'\\s]+)`, 'm').exec(yaml)?.[1]

/**
 * The metadata of OpenStack (docs.openstack.org/nova/latest/user/metadata.html), which other clouds have too. This cloud
 * is identified by its flavors (b2-7, c3-16, t2-le-45). The region is known only if it has several zones, whose names
 * begin with it (eu-west-par-a). Otherwise the zone is called nova and the user must give the region.
 */
export const ovhcloudMetadata: MetadataService = {
  provider: 'ovhcloud',
  endpoint: linkLocal,
  async detect(ask) {
    const [text, type] = await Promise.all([
      ask({ path: '/openstack/latest/meta_data.json' }),
      ask({ path: '/latest/meta-data/instance-type' }),
    ])
    const instanceType = type?.trim()
    const document = parseObject(text)
    if (textIn(document, 'uuid') === undefined || !flavor.test(instanceType ?? '')) return undefined
    const zone = textIn(document, 'availability_zone')
    return withoutUndefined({
      provider: 'ovhcloud',
      region: /^[a-z]+-[a-z]+-[a-z]+-[a-z]$/.test(zone ?? '') ? zone?.slice(0, -2).toUpperCase() : undefined,
      zone,
      instanceType,
      usageType: 'ONDEMAND',
    })
  },
}

/** ovhcloud.com/en/public-cloud/prices: families b, c, r, d, i, s, t, GPUs by model, and bare metal. */
const flavor = /^([bcdirst]\d|win-[bcr]\d|a10|a100|h100|l4|l40s|rtx5000|bm)(-le)?-[a-z]?\d+(-flex)?$/
