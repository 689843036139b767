import type { Provider } from '../domain/provider.ts'
import { zoneIn } from './node-id.ts'
import { zoneIsRegion } from './zone-is-region.ts'

export const digitaloceanProvider: Provider = {
  key: 'digitalocean',
  displayName: 'DigitalOcean',
  service: 'Droplet',
  aliases: ['do', 'digital ocean'],
  serviceAliases: ['droplets', 'digitalocean droplet', 'digitalocean droplets'],
  onByDefault: true,
  zoneLiesIn: zoneIsRegion,
  familyOf: () => '',
  burstableBaselineOf: () => null,
  nodeOf: (providerId) => zoneIn(/^digitalocean:\/\//, providerId),
}
