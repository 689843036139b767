import type { Provider } from '../domain/provider.ts'
import { zoneIn } from './node-id.ts'
import { zoneIsRegion } from './zone-is-region.ts'

export const vultrProvider: Provider = {
  key: 'vultr',
  displayName: 'Vultr',
  service: 'VultrCompute',
  aliases: ['vultr cloud'],
  serviceAliases: ['vultr compute', 'cloud compute', 'vultr cloud compute'],
  onByDefault: false,
  zoneLiesIn: zoneIsRegion,
  familyOf: () => '',
  burstableBaselineOf: () => null,
  nodeOf: (providerId) => zoneIn(/^vultr:\/\//, providerId),
}
