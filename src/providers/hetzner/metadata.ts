import type { MetadataService } from '../metadata/metadata-service.ts'

/**
 * docs.hetzner.cloud: YAML of plain `name: value` lines. The zone is a data centre such as fsn1-dc14, and is absent on
 * servers created from a snapshot (github.com/hetznercloud/hcloud-go/issues/192). Prices are per location, which is the
 * first part of the zone, not what the service calls region (eu-central). The type of the server is not reported.
 */
export const hetznerMetadata: MetadataService = {
  provider: 'hetzner',
  async detect(ask) {
    const text = await ask({ path: '/hetzner/v1/metadata' })
    if (text === undefined || lineOf(text, 'instance-id') === undefined) return undefined
    const zone = lineOf(text, 'availability-zone')
    return { region: zone?.split('-')[0], zone }
  },
}

const lineOf = (yaml: string, name: string): string | undefined =>
  new RegExp(`^${name}:\\s*["']?([^"'\\s]+)`, 'm').exec(yaml)?.[1]
