import type { Provider } from '../domain/provider.ts'
import { zoneIn } from './node-id.ts'
import { zoneIsRegion } from './zone-is-region.ts'

export const linodeProvider: Provider = {
  key: 'linode',
  displayName: 'Linode',
  service: 'LinodeCompute',
  aliases: ['akamai', 'akamai cloud', 'akamai connected cloud'],
  serviceAliases: ['linode compute', 'linode compute instances', 'linodes'],
  onByDefault: false,
  zoneLiesIn: zoneIsRegion,
  familyOf: () => '',
  burstableBaselineOf: () => null,
  nodeOf: (providerId) => zoneIn(/^linode:\/\//, providerId),
}
