import type { Provider } from '../domain/provider.ts'
import { zoneIn } from './node-id.ts'

export const scalewayProvider: Provider = {
  key: 'scaleway',
  displayName: 'Scaleway',
  service: 'ScalewayInstances',
  aliases: ['scw', 'online', 'scaleway elements'],
  serviceAliases: ['scaleway instances', 'instances', 'instance'],
  onByDefault: false,
  // fr-par-1 lies in fr-par
  zoneLiesIn: (zone, region) => zone.toLowerCase().replace(/-\d$/, '') === region.toLowerCase(),
  familyOf: () => '',
  burstableBaselineOf: () => null,
  // scaleway://instance/fr-par-1/uuid
  nodeOf: (providerId) => zoneIn(/^scaleway:\/\/instance\/([a-z0-9-]+)\//, providerId),
}
