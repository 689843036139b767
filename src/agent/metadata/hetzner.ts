import { linkLocal, type MetadataService, withoutUndefined } from './metadata-service.ts'

/**
 * docs.hetzner.cloud: YAML of plain `name: value` lines. The zone is a data centre such as fsn1-dc14, absent on servers
 * made from a snapshot (github.com/hetznercloud/hcloud-go/issues/192); prices are per location, which is its first part,
 * and not what the service calls region (eu-central). The server's type is not reported.
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
