import type { Provider } from '../domain/provider.ts'
import { zoneIn } from './node-id.ts'
import { zoneIsRegion } from './zone-is-region.ts'

export const upcloudProvider: Provider = {
  key: 'upcloud',
  displayName: 'UpCloud',
  service: 'UpCloudServers',
  aliases: [],
  serviceAliases: ['upcloud servers', 'cloud servers', 'cloud server'],
  onByDefault: false,
  zoneLiesIn: zoneIsRegion,
  familyOf: () => '',
  burstableBaselineOf: () => null,
  nodeOf: (providerId) => zoneIn(/^upcloud:\/\//, providerId),
}
