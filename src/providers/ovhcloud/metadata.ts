import { type MetadataService, parseObject, textIn } from '../metadata/metadata-service.ts'

/**
 * The metadata of OpenStack (docs.openstack.org/nova/latest/user/metadata.html), which other clouds have too. This cloud
 * is identified by its flavors (b2-7, c3-16, t2-le-45). The region is known only if it has several zones, whose names
 * begin with it (eu-west-par-a). Otherwise the zone is called nova and the user must give the region.
 */
export const ovhcloudMetadata: MetadataService = {
  provider: 'ovhcloud',
  async detect(ask) {
    const [text, type] = await Promise.all([
      ask({ path: '/openstack/latest/meta_data.json' }),
      ask({ path: '/latest/meta-data/instance-type' }),
    ])
    const instanceType = type?.trim()
    const document = parseObject(text)
    if (textIn(document, 'uuid') === undefined || !flavor.test(instanceType ?? '')) return undefined
    const zone = textIn(document, 'availability_zone')
    return {
      region: /^[a-z]+-[a-z]+-[a-z]+-[a-z]$/.test(zone ?? '') ? zone?.slice(0, -2).toUpperCase() : undefined,
      zone,
      instanceType,
    }
  },
}

/** ovhcloud.com/en/public-cloud/prices: families b, c, r, d, i, s, t, GPUs by model, and bare metal. */
const flavor = /^([bcdirst]\d|win-[bcr]\d|a10|a100|h100|l4|l40s|rtx5000|bm)(-le)?-[a-z]?\d+(-flex)?$/
