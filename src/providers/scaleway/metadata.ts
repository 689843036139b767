import { type MetadataService, parseObject, textIn } from '../metadata/metadata-service.ts'
import { scalewayRegionOf } from './provider.ts'

/** github.com/scaleway/scaleway-sdk-go, api/instance/v1/instance_metadata_sdk.go: an address of its own. */
export const scalewayMetadata: MetadataService = {
  provider: 'scaleway',
  endpoint: 'http://169.254.42.42',
  async detect(ask) {
    const server = parseObject(await ask({ path: '/conf?format=json' }))
    const instanceType = textIn(server, 'commercial_type')
    if (instanceType === undefined) return undefined
    const location = server?.location as Record<string, unknown> | undefined
    const zone = textIn(server, 'zone') ?? textIn(location, 'zone_id')
    return {
      region: zone === undefined ? undefined : scalewayRegionOf(zone),
      zone,
      instanceType,
    }
  },
}
