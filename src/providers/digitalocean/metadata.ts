import { type MetadataService, parseObject, textIn } from '../metadata/metadata-service.ts'

/** docs.digitalocean.com/reference/api/metadata. It does not report the droplet's size (github.com/digitalocean/api-v2/issues/182). */
export const digitaloceanMetadata: MetadataService = {
  provider: 'digitalocean',
  async detect(ask) {
    const droplet = parseObject(await ask({ path: '/metadata/v1.json' }))
    if (typeof droplet?.droplet_id !== 'number') return undefined
    return {
      region: textIn(droplet, 'region'),
    }
  },
}
