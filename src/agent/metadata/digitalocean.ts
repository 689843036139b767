import { linkLocal, type MetadataService, parseObject, textIn, withoutUndefined } from './metadata-service.ts'

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
