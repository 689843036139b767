import { linkLocal, type MetadataService, parseObject, textIn, withoutUndefined } from './metadata-service.ts'

/**
 * OpenStack's metadata (docs.openstack.org/nova/latest/user/metadata.html), which other clouds have too: this one is known by
 * its flavors (b2-7, c3-16, t2-le-45). The region is known only where it has several zones, whose names begin with it
 * (eu-west-par-a); elsewhere the zone is called nova and the region must be given.
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
